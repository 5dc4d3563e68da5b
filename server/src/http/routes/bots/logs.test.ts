import { afterAll, describe, expect, it } from 'vitest';
import { everyCredential } from '../../../../test/factories/every-credential.ts';
import { createFakePlatform, type FakeAdapter } from '../../../../test/factories/fake-platform.ts';
import { startTestService, type TestRequest } from '../../../../test/factories/start-test-service.ts';
import { messageEvent } from '../../../../test/stores/ledger-records.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform();
const uuid = newUuid();
const service = await startTestService({
  extensions: { platforms: [fake.platform] },
  bots: [{ adapter: 'fake', uuid }],
});
const bearer = service.account.token;
const url = `/api/v1/platform/bots/${uuid}/logs`;
const { context } = fake.adapters.at(-1) as FakeAdapter;
const credentials = await everyCredential(service, 'read');

afterAll(() => service.stop());

const logs = (json?: unknown, part: Partial<TestRequest> = { bearer }) =>
  service.request({ method: 'POST', url, ...(json === undefined ? {} : { json }), ...part });
const texts = async (json?: object) => (await logs(json)).body.data.logs.map(({ text }: { text: string }) => text);

describe('POST /api/v1/platform/bots/{uuid}/logs', () => {
  it.each(credentials)('is answered to %s', async (_name, part) => {
    expect((await logs({}, part)).status).toBe(200);
  });

  it('shows the latest entries, with or without a body', async () => {
    for (let index = 0; index < 12; index += 1) {
      await context.receive(messageEvent(`Message ${index}`, { session_type: 'group', session_id: 'room' }));
    }
    const answer = await logs();
    expect(answer.body.data).toEqual({ logs: expect.any(Array), total_count: 14 });
    expect(answer.body.data.logs).toHaveLength(10);
    expect(answer.body.data.logs.at(-1)).toEqual({
      seq_id: 13,
      timestamp: expect.any(Number),
      level: 'info',
      text: 'Message 11',
      code: null,
      reason: null,
      images: [],
      message_session_id: 'group_room',
    });
    expect(Math.abs(answer.body.data.logs.at(-1).timestamp - Date.now() / 1000)).toBeLessThan(60);
    expect((await logs({})).body.data).toEqual(answer.body.data);
    expect((await logs({ from_index: -1, max_count: 10 })).body.data).toEqual(answer.body.data);
  });

  it('shows older entries as clients ask for them', async () => {
    expect(await texts({ from_index: 3, max_count: 4 })).toEqual(['Connecting', 'Connected', 'Message 0', 'Message 1']);
    expect(await texts({ from_index: 0, max_count: 10 })).toEqual(['Connecting']);
    expect(await texts({ from_index: 15, max_count: 1 })).toEqual(['Message 11']);
    expect(await texts({ max_count: 0 })).toEqual([]);
    expect(await texts({ max_count: -1 })).toEqual([]);
    expect(await texts({ max_count: 1e9 })).toHaveLength(14);
  });

  it('keeps the entries when the bot is changed', async () => {
    const put = (json: object) =>
      service.request({ method: 'PUT', url: `/api/v1/platform/bots/${uuid}`, bearer, json });
    await put({ name: 'Renamed', adapter_config: { nickname: 'other' } });
    expect(await texts({ max_count: 3 })).toEqual(['Message 11', 'Connecting', 'Connected']);
    await put({ enable: false });
    expect(await texts({ max_count: 1 })).toEqual(['Disconnected']);
  });

  it.each<[string, unknown]>([
    ['from_index', { from_index: '1' }],
    ['from_index', { from_index: 1.5 }],
    ['max_count', { max_count: null }],
    ['more', { more: 1 }],
    ['', []],
  ])('answers 400 that names %j', async (path, json) => {
    const answer = await logs(json);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe(path);
  });

  it('answers 404 for an unknown bot', async () => {
    for (const unknown of [newUuid(), 'websocket-proxy-bot']) {
      const answer = await service.request({
        method: 'POST',
        url: `/api/v1/platform/bots/${unknown}/logs`,
        bearer,
        json: {},
      });
      expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
    }
  });
});
