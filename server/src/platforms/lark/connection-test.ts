import type { PlatformTest, PlatformTestContext, TestFinding } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import { botInfo } from './bot-info.ts';
import { apiAddress, type LarkSettings } from './config.ts';
import { requireSettings } from './connection.ts';
import { isUnauthorized, LarkFailure, startFailure } from './failure.ts';
import { LarkApi, type Tokens } from './lark-api.ts';
import type { Timing } from './timing.ts';
import { OwnTokens } from './tokens.ts';

/** What the bot needs, and in which of several scopes it is contained. */
const neededScopes = [
  ['im:message:send_as_bot', 'im:message'],
  ['im:message', 'im:message.p2p_msg:readonly', 'im:message.group_at_msg:readonly'],
  ['im:resource', 'im:message', 'im:message:readonly'],
];
const cardScope = ['cardkit:card:write'];

/**
 * Tests the credentials and looks for missing permissions.
 * @throws ParleyError as the start of a bot
 */
export async function test(
  settings: LarkSettings,
  context: PlatformTestContext,
  timing: Timing,
): Promise<PlatformTest> {
  requireSettings(settings);
  const { fetch, signal } = context;
  const api = new LarkApi({ address: apiAddress(settings), fetch, closed: signal, timing });
  if (settings.app_type === 'isv') return { id: settings.app_id, name: null };
  const tokens = new OwnTokens(api, settings);
  try {
    await tokens.get();
    const { open_id, name, isActive } = await botInfo(api, tokens);
    const findings = [...(isActive ? [] : [inactive]), ...(await missingScopes(api, tokens, settings))];
    return { id: open_id, name: name || null, findings };
  } catch (error) {
    // The app is right, but has no bot.
    if (!(error instanceof LarkFailure) || error.kind !== 'refused' || isUnauthorized(error)) throw startFailure(error);
    return { id: settings.app_id, name: null, findings: [inactive] };
  }
}

async function missingScopes(api: LarkApi, tokens: Tokens, settings: LarkSettings): Promise<TestFinding[]> {
  let granted: Set<string>;
  try {
    const { data } = await api.call({ method: 'GET', path: '/open-apis/application/v6/scopes', tokens });
    const scopes = listOf(data?.scopes).map(objectOf);
    granted = new Set(
      scopes.filter(({ grant_status }) => grant_status === 1).map(({ scope_name }) => textOf(scope_name)),
    );
  } catch (error) {
    // The list itself may be forbidden; then the platform names what is missing with each call.
    if (error instanceof LarkFailure && error.kind === 'refused') return [];
    throw error;
  }
  const needed = settings['enable-stream-reply'] ? [...neededScopes, cardScope] : neededScopes;
  return needed
    .filter((alternatives) => !alternatives.some((scope) => granted.has(scope)))
    .map(([scope = '']) => missing(scope, scope === cardScope[0] ? 'enable-stream-reply' : 'app_id'));
}

function missing(scope: string, field: string): TestFinding {
  return {
    level: 'error',
    field,
    text: {
      en_US: `The app lacks the permission \`${scope}\`. Allow it under "Permissions" and publish a new version of the app.`,
      zh_Hans: `应用缺少权限 \`${scope}\`。请在“权限管理”中开通，并发布新版本。`,
      ja_JP: `アプリに権限 \`${scope}\` がありません。「権限」で許可し、新しいバージョンを公開してください。`,
    },
  };
}

const inactive: TestFinding = {
  level: 'error',
  field: 'app_id',
  text: {
    en_US: 'The bot of this app is not enabled. Add the feature "Bot" and publish a version of the app.',
    zh_Hans: '此应用尚未启用机器人。请添加“机器人”能力并发布应用版本。',
    ja_JP: 'このアプリのボットは有効になっていません。「ボット」機能を追加し、アプリのバージョンを公開してください。',
  },
};
