import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const secretHeader = 'x-telegram-bot-api-secret-token';

let telegram: FakeTelegram;
let service: TestService;
let url: string;
beforeAll(async () => {
  telegram = await startFakeTelegram();
  service = await startTestService({ config: { publicUrl: 'https://chat.example.org' } });
  const bearer = service.account.token;
  const [pipeline] = (await service.request({ url: '/api/v1/pipelines', bearer })).body.data.pipelines;
  const bot = await service.request({
    method: 'POST',
    url: '/api/v1/platform/bots',
    bearer,
    json: {
      name: 'Bot',
      adapter: 'telegram',
      enable: true,
      use_pipeline_uuid: pipeline.uuid,
      adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl, 'enable-webhook': true },
    },
  });
  url = `/bots/${bot.body.data.uuid}`;
  await vi.waitFor(() => expect(telegram.webhook?.url).toBe(`https://chat.example.org${url}`), { timeout: 10_000 });
});
afterAll(async () => {
  await service.stop();
  await telegram.close();
});

const post = (
  headers: Record<string, string>,
  json: object = { update_id: 1, message: incoming({ text: 'forged' }) },
) => service.request({ method: 'POST', url, headers, json });
const stored = async () =>
  (await service.database.selectFrom('messages').select('text').execute()).map(({ text }) => text);

it.each<[string, () => Record<string, string>]>([
  ['no secret', () => ({})],
  ['an empty secret', () => ({ [secretHeader]: '' })],
  ['another secret', () => ({ [secretHeader]: 'x'.repeat(32) })],
  ['a part of the secret', () => ({ [secretHeader]: telegram.webhook?.secret.slice(0, -1) ?? '' })],
  ['the secret in another header', () => ({ authorization: `Bearer ${telegram.webhook?.secret}` })],
  ['the token of the bot', () => ({ [secretHeader]: telegram.token })],
  ['the token of an account', () => ({ authorization: `Bearer ${service.account.token}` })],
])('a webhook request with %s is refused, and nothing of it is stored', async (_name, headers) => {
  const answer = await post(headers());
  expect([answer.status, answer.body.reason]).toEqual([401, 'invalid_signature']);
  expect(await stored()).not.toContain('forged');
});

it('one with the secret that the platform was given is taken, once', async () => {
  const headers = { [secretHeader]: telegram.webhook?.secret ?? '' };
  const json = { update_id: 7, message: incoming({ text: 'genuine' }) };
  for (let time = 0; time < 2; time += 1) expect((await post(headers, json)).status).toBe(200);
  expect((await stored()).filter((text) => text === 'genuine')).toHaveLength(1);
});
