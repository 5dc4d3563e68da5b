import type { I18nText, SocketRequest, TestFinding } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';
import { isSameText } from '../../kit/webhooks/signed-request.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { OneBotSettings } from './config.ts';

/**
 * The token of a configuration; empty for none.
 * @throws ParleyError `invalid_request` for one that no header can carry
 */
export function tokenOf(settings: OneBotSettings): string {
  const token = settings['access-token'].trim();
  if (/[^\x21-\x7e]/.test(token)) {
    throw settingFault(
      'access-token',
      'access-token must consist of printable ASCII characters without spaces',
      'ascii',
    );
  }
  return token;
}

/** Whether a client that connects has sent the token. Every client has, where there is none. */
export function hasToken({ headers, query }: SocketRequest, token: string): boolean {
  if (token === '') return true;
  const sent = headers.authorization?.replace(/^(bearer|token)\s+/i, '').trim() ?? query.access_token ?? '';
  return isSameText(sent, token);
}

const missing: I18nText = {
  en_US: 'Other machines can reach this host. Set access-token, here and in the QQ client, or listen on 127.0.0.1.',
  zh_Hans: '其他机器可以访问该监听地址。请在此处和 QQ 客户端中设置 access-token，或改为监听 127.0.0.1。',
  ja_JP:
    'このホストには他のマシンから接続できます。ここと QQ クライアントに access-token を設定するか、127.0.0.1 で待ち受けてください。',
};

/** What is wrong with listening on the configured host: null, or that it is open to everyone who reaches it. */
export function listeningFault(settings: OneBotSettings): TestFinding | null {
  if (settings.connection === 'forward' || tokenOf(settings) !== '' || isLoopback(settings.host.trim())) return null;
  return { level: settings['require-token'] ? 'error' : 'warning', field: 'access-token', text: missing };
}
