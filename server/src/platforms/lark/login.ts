import { setTimeout as delay } from 'node:timers/promises';
import { type LoginStep, ParleyError, type PlatformTestContext } from '@parley/sdk';
import { PlatformApi } from '../../kit/platform-calls/platform-api.ts';
import { present } from '../../lib/clock.ts';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import { addresses, type LarkSettings } from './config.ts';
import type { Timing } from './timing.ts';

const path = '/oauth/v1/app/registration';

type Domain = LarkSettings['domain'];

/**
 * Registers an app for the user who scans a code: the device authorization of RFC 8628, whose result is a client.
 * @throws ParleyError `platform_failed`
 */
export async function* login(
  settings: Pick<LarkSettings, 'domain' | 'accounts_base_url'>,
  { fetch, signal }: Pick<PlatformTestContext, 'fetch' | 'signal'>,
  timing: Pick<Timing, 'callMs' | 'loginPollMs'>,
): AsyncGenerator<LoginStep> {
  const api = new PlatformApi({ name: 'Lark', fetch, closed: signal, timeoutMs: timing.callMs });
  const ask = async (domain: Domain, form: Record<string, string>) => {
    const address = settings.accounts_base_url.trim().replace(/\/+$/, '') || addresses[domain].accounts;
    // RFC 8628 answers with status 400 until the user has decided.
    const { body } = await api.call({
      method: 'POST',
      url: address + path,
      body: new URLSearchParams(form),
      isRepeatable: true,
    });
    return objectOf(body);
  };
  let { domain } = settings;
  const begun = await ask(domain, {
    action: 'begin',
    archetype: 'PersonalAgent',
    auth_method: 'client_secret',
    request_user_info: 'open_id',
  });
  const [device_code, url] = [textOf(begun.device_code), textOf(begun.verification_uri_complete)];
  if (device_code === '' || !URL.canParse(url)) throw failed('Lark did not start the sign-in');
  const expiresAt = present() + seconds(begun.expires_in ?? begun.expire_in, 600) * 1000;
  yield { state: 'waiting', url, expires_at: new Date(expiresAt).toISOString() };
  let pause = seconds(begun.interval, timing.loginPollMs / 1000) * 1000;
  while (present() < expiresAt) {
    await delay(Math.min(pause, timing.loginPollMs), undefined, { signal });
    const answer = await ask(domain, { action: 'poll', device_code });
    const { tenant_brand, open_id } = objectOf(answer.user_info);
    if (tenant_brand === 'lark' && domain !== 'lark') {
      // The account belongs to the other installation, which has the result.
      domain = 'lark';
      if (textOf(answer.client_secret) === '') continue;
    }
    const [app_id, app_secret] = [textOf(answer.client_id), textOf(answer.client_secret)];
    if (app_id !== '' && app_secret !== '') {
      const account = textOf(open_id) === '' ? null : { id: textOf(open_id), name: null };
      return yield { state: 'done', config: { domain, app_id, app_secret }, account };
    }
    const error = textOf(answer.error);
    if (error === 'slow_down') pause += 5000;
    else if (error === 'access_denied') return yield { state: 'refused', message: textOf(answer.error_description) };
    else if (error === 'expired_token') break;
    else if (error !== 'authorization_pending' && error !== '') {
      throw failed(`Lark ended the sign-in: ${textOf(answer.error_description) || error}`);
    }
  }
  yield { state: 'expired' };
}

function seconds(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value > 0 && value < 86_400 ? value : otherwise;
}

function failed(message: string): ParleyError {
  return new ParleyError('platform_failed', message);
}
