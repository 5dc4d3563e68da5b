import { ParleyError } from '@parley/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform({ webhook: true });
const [connected, broken, disabled] = [newUuid(), newUuid(), newUuid()];
fake.start = async ({ context }) => {
  if (context.bot_uuid === broken) throw new ParleyError('platform_unauthorized', 'The address is not verified');
};
const handled: string[] = [];
fake.answer = async ({ path }) => {
  handled.push(path);
  return { status: 200, body: 'handled' };
};
fake.implementation.verifyAddress = async ({ token }, { query }) => {
  if (query.challenge === undefined) return null;
  if (query.token !== token) throw new ParleyError('invalid_signature', 'Wrong token');
  return { status: 200, body: query.challenge };
};
const service = await startTestService({
  extensions: { platforms: [fake.platform] },
  bots: [connected, broken, disabled].map((uuid) => ({
    adapter: 'fake',
    uuid,
    enable: uuid !== disabled,
    adapter_config: { token: 'the-token' },
  })),
});
afterAll(() => service.stop());

const get = (uuid: string, query: string) => service.request({ method: 'GET', url: `/bots/${uuid}${query}` });

describe('the verification of a webhook address', () => {
  it.each([
    ['connected', connected],
    ['not connected', broken],
  ])('is answered while the bot is %s, and does not reach its adapter', async (_, uuid) => {
    const answer = await get(uuid, '?challenge=abc&token=the-token');
    expect([answer.status, answer.text]).toEqual([200, 'abc']);
    expect(handled).toEqual([]);
  });

  it('is refused with wrong credentials', async () => {
    const answer = await get(broken, '?challenge=abc&token=another');
    expect([answer.status, answer.body.reason]).toEqual([401, 'invalid_signature']);
  });

  it('is refused for a disabled bot', async () => {
    expect((await get(disabled, '?challenge=abc&token=the-token')).status).toBe(403);
  });

  it('does not keep other requests from the adapter, or from 503 while there is none', async () => {
    expect((await get(connected, '')).text).toBe('handled');
    expect([(await get(broken, '')).status, handled]).toEqual([503, ['']]);
  });

  it('is not taken for a page that a browser opens', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const open = (path: string) => service.request({ url: `/bots/${path}`, headers: { accept } });
    expect((await open(`${connected}?challenge=abc&token=the-token`)).text).toBe('abc');
    expect((await open(`${connected}/deeper`)).text).toBe('handled');
    handled.length = 0;
    for (const path of [connected, `${connected}?tab=log&level=error`, disabled, newUuid(), 'new?adapter=telegram']) {
      const { status, headers } = await open(path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    }
    const posted = await service.request({ method: 'POST', url: `/bots/${connected}`, headers: { accept } });
    expect([posted.text, handled]).toEqual(['handled', ['']]);
  });
});
