import { DeliveryError, ParleyError, type PlatformTest, type TestFinding } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';
import type { SlackSettings } from './config.ts';
import type { BotAccount } from './parse-event.ts';
import { textOf } from './parse-event.ts';
import type { SlackApi } from './slack-api.ts';

/** Scopes that a bot needs, with what is missing without them. */
const scopes: Readonly<Record<string, string>> = {
  'chat:write': 'send messages',
  'im:history': 'receive direct messages',
  'app_mentions:read': 'receive mentions in channels',
  'im:write': 'write to users first',
  'files:read': 'receive files',
  'files:write': 'send files',
  'users:read': 'show names of users',
  'channels:read': 'show names of channels',
};

/**
 * Asks Slack who the bot is.
 * @throws ParleyError `platform_unauthorized`, `platform_failed`
 */
export async function identify(api: SlackApi): Promise<BotAccount & { name: string; granted: string[] | null }> {
  try {
    const { body, headers } = await api.call('auth.test', {}, { isRepeatable: true });
    const granted = headers.get('x-oauth-scopes');
    return {
      user_id: textOf(body.user_id),
      bot_id: textOf(body.bot_id) || null,
      team_id: textOf(body.team_id),
      name: textOf(body.user),
      granted: granted === null ? null : granted.split(',').map((scope) => scope.trim()),
    };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    throw new ParleyError(error.reason === 'platform_unauthorized' ? error.reason : 'platform_failed', error.message);
  }
}

/** @throws ParleyError `invalid_request` when nothing can be received */
export function requireReceiving({ app_token, signing_secret }: SlackSettings): void {
  if (app_token.trim() !== '' || signing_secret.trim() !== '') return;
  throw settingFault(
    'signing_secret',
    'Enter signing_secret for the webhook, or app_token for socket mode',
    'required',
  );
}

/** Tests a configuration. @throws ParleyError as {@link identify} */
export async function testConfig(settings: SlackSettings, api: SlackApi): Promise<PlatformTest> {
  const { user_id, name, granted } = await identify(api);
  const token = settings.app_token.trim();
  requireReceiving(settings);
  if (token !== '' && !token.startsWith('xapp-')) {
    throw settingFault('app_token', 'app_token must be an app-level token, which starts with xapp-', 'pattern');
  }
  const missing = granted === null ? [] : Object.keys(scopes).filter((scope) => !granted.includes(scope));
  return { id: user_id, name: name || null, findings: missing.map(findingOf) };
}

function findingOf(scope: string): TestFinding {
  return {
    level: scope === 'chat:write' ? 'error' : 'warning',
    field: 'bot_token',
    text: {
      en_US: `The scope ${scope} is missing, without which the bot cannot ${scopes[scope]}. Add it under OAuth & Permissions and install the app again.`,
      zh_Hans: `缺少权限 ${scope}。请在 OAuth & Permissions 中添加，并重新安装应用。`,
      ja_JP: `スコープ${scope}がありません。OAuth & Permissionsで追加し、アプリを再インストールしてください。`,
    },
  };
}
