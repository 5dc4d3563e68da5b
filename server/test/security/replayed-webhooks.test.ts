import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { verifyFirstUse, verifySignature } from '../../src/kit/webhooks/signed-request.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const [one, two] = [newUuid(), newUuid()];
const bots = [one, two].map((uuid) => ({ adapter: 'fake', uuid }));
const dataDir = mkdtempSync(join(tmpdir(), 'parley-replay-'));
let service: TestService;
afterEach(() => service.stop());
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** A service whose platform signs its requests. */
function start(given: Parameters<typeof startTestService>[0]) {
  const fake = createFakePlatform({ webhook: true });
  fake.answer = async ({ headers, body }, { context }) => {
    const timestamp = headers['x-timestamp'] ?? '';
    const value = headers['x-signature'];
    const content = [timestamp, body];
    const id = verifySignature({ value, encoding: 'hex', algorithm: 'sha256', key: 'key', content });
    await verifyFirstUse(context, { id, sentAt: Number(timestamp) * 1000 });
    return { status: 200 };
  };
  return startTestService({ extensions: { platforms: [fake.platform] }, config: { dataDir }, ...given });
}

const signed = (payload: string, seconds = Math.floor(Date.now() / 1000)) => ({
  payload,
  headers: {
    'x-timestamp': String(seconds),
    'x-signature': createHmac('sha256', 'key').update(`${seconds}${payload}`).digest('hex'),
  },
});
const post = async (bot: string, request: ReturnType<typeof signed>) => {
  const answer = await service.request({ method: 'POST', url: `/bots/${bot}`, ...request });
  return answer.status === 200 ? 200 : [answer.status, answer.body.reason];
};

it('a signed request is accepted once, also after a restart, and only by the bot that it is for', async () => {
  const refused = [401, 'invalid_signature'];
  const captured = signed('{"text":"pay"}');
  service = await start({ bots });
  expect(await post(one, captured)).toBe(200);
  const capital = { ...captured.headers, 'x-signature': captured.headers['x-signature'].toUpperCase() };
  expect(await post(one, captured)).toEqual(refused);
  expect(await post(one, { ...captured, headers: capital })).toEqual(refused);
  expect(await post(two, captured)).toBe(200);
  await service.stop();
  service = await start({ account: false });
  expect(await post(one, captured)).toEqual(refused);
  expect(await post(one, signed('{"text":"another"}'))).toBe(200);
  expect(await post(one, signed('{"text":"old"}', Math.floor(Date.now() / 1000) - 301))).toEqual(refused);
});
