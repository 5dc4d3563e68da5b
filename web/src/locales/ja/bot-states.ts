import type { botStates as english } from '../en/bot-states.ts';
import type { Texts } from '../texts.ts';

/** How the connection of a bot is. */
export const botStates: Texts<typeof english> = {
  stopped: '無効',
  starting: '接続中',
  running: '接続済み',
  reconnecting: '再接続中',
  error: '未接続',
};
