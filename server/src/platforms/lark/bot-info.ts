import { objectOf, textOf } from '../../lib/loose-values.ts';
import type { LarkApi, Tokens } from './lark-api.ts';

/** The bot of an app. */
export interface BotInfo {
  open_id: string;
  name: string;
  /** Whether the bot feature is on: 2 in the platform's numbers. */
  isActive: boolean;
}

/** @throws LarkFailure, also when the app has no bot */
export async function botInfo(api: LarkApi, tokens: Tokens): Promise<BotInfo> {
  const response = await api.call({ method: 'GET', path: '/open-apis/bot/v3/info', tokens });
  const bot = objectOf(response.bot);
  return { open_id: textOf(bot.open_id), name: textOf(bot.app_name), isActive: bot.activate_status === 2 };
}
