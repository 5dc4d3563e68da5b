import { setTimeout as delay } from 'node:timers/promises';
import { ParleyError } from '../../../src/errors.ts';
import type { PlatformTestContext } from '../../../src/platform.ts';
import type { LoginStep } from '../../../src/platform-login.ts';
import type { Shared } from './config.ts';

/** Signs in with a code that the user scans; the platform makes the account. */
export async function* signIn(
  { settings, timing, has }: Shared,
  { fetch, signal }: Pick<PlatformTestContext, 'fetch' | 'signal'>,
): AsyncGenerator<LoginStep> {
  const call = async (path: string, json: object): Promise<Record<string, unknown>> => {
    const response = await fetch(settings.address + path, { method: 'POST', body: JSON.stringify(json), signal });
    if (!response.ok) throw new ParleyError('platform_failed', `The platform failed (${response.status})`);
    return (await response.json()) as Record<string, unknown>;
  };
  const { device, url, expires_in } = await call('/login/begin', {});
  yield {
    state: 'waiting',
    url: String(url),
    expires_at: new Date(Date.now() + Number(expires_in) * 1000).toISOString(),
  };
  let isScanned = false;
  for (let pauseMs = timing.login; ; ) {
    await delay(pauseMs, undefined, { signal });
    const { state, account, secret, signing_key } = await call('/login/poll', { device });
    if (state === 'slow_down' && !has('gives a slow sign-in up')) pauseMs *= 2;
    else if (state === 'scanned' && !isScanned) {
      isScanned = true;
      yield { state: 'confirming' };
    } else if (state === 'denied') return yield { state: 'refused', message: 'The user refused' };
    else if (state === 'done') {
      const config = { account, secret, signing_key };
      return yield { state: 'done', config, account: { id: String(account), name: null } };
    } else if (state !== 'pending' && state !== 'scanned') return yield { state: 'expired' };
  }
}
