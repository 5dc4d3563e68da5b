import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerWith, startWebhookReceiver, type WebhookReceiver } from '../../../test/fakes/webhook-receiver.ts';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { newUuid } from '../../lib/uuid.ts';
import { pingPayload } from './webhook-payload.ts';
import { WebhookSender } from './webhook-sender.ts';
import { newWebhookSecret } from './webhook-signature.ts';

const secret = newWebhookSecret();
const sender = new WebhookSender({ fetch: createGuardedFetch({ policy: 'saved' }), timeoutMs: 400 });
const never = new AbortController().signal;
const send = (url: string, signal = never) =>
  sender.send({ url, secret }, pingPayload(newUuid(), { id: 1, name: 'n' }, Date.now()), signal);

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

it.each([200, 201, 202, 204])('takes %i for delivered', async (status) => {
  receiver.behave(answerWith(status, status === 204 ? '' : { ok: true }));
  expect(await send(receiver.url)).toMatchObject({ outcome: 'delivered', status, error: null, skips: false });
});

it.each([400, 401, 404, 500, 502, 503])('takes %i for failed', async (status) => {
  receiver.behave(answerWith(status, { skip_pipeline: true }));
  const expected = { outcome: 'failed', status, error: `HTTP ${status}`, skips: false, retryAfter: null };
  expect(await send(receiver.url)).toMatchObject(expected);
});

it.each<[string, unknown, boolean]>([
  ['exactly true', { skip_pipeline: true, more: 1 }, true],
  ['a text', { skip_pipeline: 'true' }, false],
  ['a number', { skip_pipeline: 1 }, false],
  ['false', { skip_pipeline: false }, false],
  ['inside a list', [{ skip_pipeline: true }], false],
  ['null', 'null', false],
  ['not JSON', '<html>skip_pipeline: true</html>', false],
  ['half of JSON', '{"skip_pipeline": true', false],
  ['an empty body', '', false],
])('hears that a message is not to be answered when it is said with %s', async (_, body, skips) => {
  receiver.behave(answerWith(200, body));
  expect(await send(receiver.url)).toMatchObject({ outcome: 'delivered', skips });
});

it('reads so much of a huge answer and no more, and ends the connection', async () => {
  const closed = Promise.withResolvers<number>();
  receiver.behave((_, response) => {
    let written = 0;
    response.on('close', () => closed.resolve(written));
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed) {
        written += 65_536;
        if (!response.write('x'.repeat(65_536))) break;
      }
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const result = await send(receiver.url);
  expect(result).toMatchObject({ outcome: 'delivered', skips: false });
  expect(result.answer).toBe('x'.repeat(1024));
  expect(await closed.promise).toBeLessThan(20_000_000);
});

it('keeps no half of a character', async () => {
  receiver.behave(answerWith(200, '€'.repeat(1000)));
  expect((await send(receiver.url)).answer).toBe('€'.repeat(341));
});

it('times out without a response', async () => {
  receiver.behave(() => undefined);
  const result = await send(receiver.url);
  expect(result).toMatchObject({ outcome: 'failed', status: null, error: 'No answer within 0.4 s', answer: null });
  expect(result.milliseconds).toBeGreaterThanOrEqual(390);
  await expect.poll(() => receiver.open).toBe(0);
});

it('does not wait for the end of an answer that comes byte by byte', async () => {
  receiver.behave(async (_, response) => {
    response.writeHead(200);
    response.flushHeaders();
    while (!response.destroyed) {
      response.write(' ');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const result = await send(receiver.url);
  // The status is the answer.
  expect(result).toMatchObject({ outcome: 'delivered', status: 200, skips: false });
  expect(result.milliseconds).toBeLessThan(3000);
  await expect.poll(() => receiver.open).toBe(0);
});

it('fails when the connection is closed', async () => {
  receiver.behave((_, response) => void response.destroy());
  expect(await send(receiver.url)).toMatchObject({
    outcome: 'failed',
    status: null,
    error: expect.stringMatching(/./),
  });
});

describe('a redirect', () => {
  let requests = 0;
  const inside = createServer((_, response) => {
    requests += 1;
    response.end('{"skip_pipeline": true}');
  }).listen(0, '127.0.0.1');
  afterAll(() => inside.close());

  it.each([301, 302, 303, 307, 308])('with %i is not followed, also not to a private address', async (status) => {
    const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    receiver.behave(answerWith(status, '', { location }));
    const error = `HTTP ${status}: redirects are not followed`;
    expect(await send(receiver.url)).toMatchObject({ outcome: 'failed', status, error, skips: false });
    expect(requests).toBe(0);
  });

  it('to itself ends', async () => {
    receiver.behave(answerWith(301, '', { location: receiver.url }));
    expect(await send(receiver.url)).toMatchObject({ outcome: 'failed', status: 301 });
    expect(receiver.received).toHaveLength(1);
  });
});

it.each(['http://169.254.169.254/latest/', 'http://[fd00:ec2::254]/', 'http://0.0.0.0/'])(
  'sends nothing to %s',
  async (url) => {
    const result = await send(url);
    expect(result).toMatchObject({ outcome: 'failed', status: null, error: expect.stringContaining('not an address') });
  },
);

it('reports removed receivers and requested pauses', async () => {
  receiver.behave(answerWith(410));
  expect(await send(receiver.url)).toMatchObject({ outcome: 'gone', status: 410 });
  receiver.behave(answerWith(429, {}, { 'retry-after': '30' }));
  expect(await send(receiver.url)).toMatchObject({ outcome: 'failed', retryAfter: 30_000 });
  receiver.behave(answerWith(503, {}, { 'retry-after': new Date(Date.now() + 3_000_000).toUTCString() }));
  expect((await send(receiver.url)).retryAfter).toBeGreaterThan(2_900_000);
  for (const [header, wait] of [
    ['soon', null],
    ['99999999999999999999', 3_600_000],
    ['-5', 0],
    ['', 0],
  ] as const) {
    receiver.behave(answerWith(503, {}, { 'retry-after': header }));
    const { retryAfter } = await send(receiver.url);
    if (wait === null) expect(retryAfter).toBeNull();
    else expect(retryAfter ?? 0).toBe(wait);
  }
  // Others do not ask for a pause with it.
  receiver.behave(answerWith(500, {}, { 'retry-after': '30' }));
  expect(await send(receiver.url)).toMatchObject({ retryAfter: null });
});

it('rethrows the reason when it is aborted', async () => {
  receiver.behave(() => undefined);
  const stopping = new AbortController();
  const sending = send(receiver.url, stopping.signal);
  await expect.poll(() => receiver.received.length).toBe(1);
  stopping.abort(new Error('stopping'));
  await expect(sending).rejects.toThrow('stopping');
});
