import { generateKeyPairSync } from 'node:crypto';
import { fakeRunnerMemory, pipelineMessage, runnerContract } from '@parley/sdk/testing';
import { importSPKI, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import type { FakeFault } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { n8n } from './index.ts';
import { type FakeN8n, startFakeN8n } from './testing/fake-n8n.ts';

let fake: FakeN8n;
beforeAll(async () => {
  fake = await startFakeN8n();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.respond();
  fake.admit(null);
  fake.requests.length = 0;
});

const config = (over: object = {}) => ({ 'webhook-url': fake.webhook, timeout: 10, ...over });
const ask = ({ config: over, ...question }: Question = {}) => askRunner(n8n, { config: config(over), ...question });
const sent = () => fake.requests.at(-1)?.json;
const metadata = { nodeId: '1', nodeName: 'Agent', runIndex: 0, itemIndex: 0 };
const begin = { type: 'begin', metadata };
const item = (content: unknown) => ({ type: 'item', content, metadata });
const end = { type: 'end', metadata };

runnerContract({
  runner: n8n,
  config: () => config(),
  endlessConfig: () => {
    const pieces = [JSON.stringify(begin), JSON.stringify(item('and so on, '))];
    fake.meet({ kind: 'stream', type: 'application/json', pieces, ending: 'on and on' });
    return config();
  },
});

const secret = 'Sh4red-s3cret-of-the-webhook';
const streamed = (text: string, ending: 'end' | 'cut' = 'end'): FakeFault => {
  return { kind: 'stream', type: 'application/json', pieces: [text], ending };
};
const beginning = [begin, item('Hel')].map((chunk) => JSON.stringify(chunk)).join('\n');
serviceFaultTests({
  runner: n8n,
  service: () => fake,
  config: (url) => ({
    'webhook-url': `${url}/webhook/parrot`,
    'auth-type': 'header',
    'header-name': 'x-secret',
    'header-value': secret,
    timeout: 1,
  }),
  secret,
  stream: { type: 'application/json', begin: [beginning], more: JSON.stringify(item('and so on, '.repeat(5000))) },
  empty: streamed(''),
  malformed: {
    'JSON that ends too early': { kind: 'answer', status: 200, body: '{"response": "Hel' },
    'a page for browsers': {
      kind: 'answer',
      status: 200,
      body: '<!DOCTYPE html>',
      headers: { 'content-type': 'text/html' },
    },
    'a stream that ends too early': streamed(beginning),
    'a stream that ends in a chunk': streamed(`${beginning}${JSON.stringify(end)}{"type":`),
    'a chunk of another kind': streamed(`${beginning}{"response":"x"}`),
    'no field of the name': { kind: 'answer', status: 200, body: '{"message": "Workflow was started"}' },
    'an item without a text': { kind: 'answer', status: 200, body: '[{"response": null}]' },
  },
  reported: {
    'a chunk that reports a failure': {
      fault: streamed(`${beginning}${JSON.stringify({ type: 'error', content: 'No credits' })}`),
      reason: 'provider_failed',
      message: 'n8n answered 500: No credits.',
    },
    'a webhook that there is not': {
      fault: { kind: 'answer', status: 404, body: '{"message": "The requested webhook is not registered."}' },
      reason: 'provider_failed',
      message: 'n8n answered 404: The requested webhook is not registered.',
    },
  },
  huge: { kind: 'answer', status: 200, body: JSON.stringify({ response: 'x'.repeat(1_000_001) }) },
});

describe('a workflow', () => {
  it('receives the text under each of its names, the sender, and the documented variables only', async () => {
    await ask({
      text: 'Good morning',
      message: pipelineMessage({ session_type: 'group', session_id: '77', created_at: '2026-01-01T00:00:00.000Z' }),
      variables: { sender_name: 'Ada', conversation_id: 'ours', user_message_text: 'Good morning', _internal: 'x' },
      instructions: 'Be brief.',
    });
    expect(sent()).toEqual({
      chatInput: 'Good morning',
      message: 'Good morning',
      user_message_text: 'Good morning',
      conversation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      session_id: 'group_77',
      user_id: 'group_77',
      msg_create_time: '1767225600',
      sender_name: 'Ada',
      instructions: 'Be brief.',
    });
    expect(fake.requests[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  });

  it('receives the same conversation id until a reset', async () => {
    const memory = fakeRunnerMemory();
    await ask({ context: { memory } });
    const { conversation_id } = sent();
    expect(await memory.read()).toBe(conversation_id);
    await ask({ context: { memory } });
    expect(sent().conversation_id).toBe(conversation_id);
    await ask();
    expect(sent().conversation_id).not.toBe(conversation_id);
  });

  it('streams its text, several nodes after one another', async () => {
    const tool = { type: 'tool-call-start', metadata };
    fake.streamChunks(begin, tool, item('Hel'), item('lo'), item(7), end, begin, item('!'), end);
    const { deltas, text, error } = await ask();
    expect({ text, error }).toEqual({ text: 'Hello!', error: undefined });
    expect(deltas).toHaveLength(3);
  });

  it('may send chunks with nothing between them, split in any way', async () => {
    const chunks = [begin, item('a } " { b'), end].map((chunk) => JSON.stringify(chunk)).join('');
    const pieces = chunks.match(/.{1,7}/g) ?? [];
    fake.meet({ kind: 'stream', type: 'application/json', pieces, ending: 'end' });
    expect(await ask()).toMatchObject({ text: 'a } " { b', error: undefined });
  });

  it.each<[string, unknown, string]>([
    ['an object', { response: 'yes' }, 'yes'],
    ['items', [{ response: 'one' }, { other: 1 }, { response: 'two' }], 'one\n\ntwo'],
    ['the output of agents', [{ output: 'yes' }], 'yes'],
    ['a value that is no text', { response: { city: 'Ulm' } }, '{"city":"Ulm"}'],
    ['a number', { response: 7 }, '7'],
    ['a text in JSON', '"yes"', 'yes'],
    ['an object with a custom type', { type: 'item of a list', response: 'yes' }, 'yes'],
  ])('may return %s', async (_, body, text) => {
    fake.respond(body);
    expect(await ask()).toMatchObject({ text, error: undefined });
  });

  it.each(['text/html; charset=utf-8', 'text/plain'])('may return plain text as %s', async (mediaType) => {
    fake.respond('Good {morning}', mediaType);
    expect((await ask()).text).toBe('Good {morning}');
  });
});

describe('the configuration', () => {
  it('ai.n8n-service-api.webhook-url: is called', async () => {
    expect((await ask({ config: { 'webhook-url': ` ${fake.webhook} ` } })).error).toBeUndefined();
    const other = await ask({ config: { 'webhook-url': `${fake.url}/webhook/other` } });
    expect(other.error?.message).toBe(
      'n8n answered 404: The requested webhook "POST /webhook/other" is not registered.',
    );
    for (const missing of ['', 'http://your-n8n-webhook-url']) {
      const { error } = await ask({ config: { 'webhook-url': missing } });
      expect(error).toMatchObject({ reason: 'invalid_request', message: 'The pipeline has no n8n webhook URL.' });
    }
    expect(fake.requests).toHaveLength(2);
  });

  it('ai.n8n-service-api.auth-type: none sends no credential, whatever else is filled in', async () => {
    await ask({ config: { 'auth-type': 'none', 'basic-password': 'x', 'jwt-secret': 'y', 'header-name': 'x-z' } });
    expect(fake.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(fake.requests[0]?.headers).not.toHaveProperty('x-z');
  });

  it('ai.n8n-service-api.basic-username and ai.n8n-service-api.basic-password: are sent to the webhook', async () => {
    const expected = `Basic ${Buffer.from('Ada:pässword').toString('base64')}`;
    fake.admit(({ headers }) => headers.authorization === expected);
    const basic = { 'auth-type': 'basic', 'basic-username': 'Ada', 'basic-password': 'pässword' };
    expect((await ask({ config: basic })).error).toBeUndefined();
    const wrong = await ask({ config: { ...basic, 'basic-password': 'other' } });
    expect(wrong.error).toMatchObject({ reason: 'provider_unauthorized' });
  });

  it('ai.n8n-service-api.jwt-secret: signs a token of an hour', async () => {
    expect((await ask({ config: { 'auth-type': 'jwt', 'jwt-secret': secret } })).error).toBeUndefined();
    const token = fake.requests[0]?.headers.authorization?.replace('Bearer ', '') ?? '';
    const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode(secret));
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(payload.sub).toBe('n8n-webhook');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  it('ai.n8n-service-api.jwt-algorithm: signs the token', async () => {
    await ask({ config: { 'auth-type': 'jwt', 'jwt-secret': secret, 'jwt-algorithm': 'HS512' } });
    const bearer = () => fake.requests.at(-1)?.headers.authorization?.replace('Bearer ', '') ?? '';
    expect((await jwtVerify(bearer(), new TextEncoder().encode(secret))).protectedHeader.alg).toBe('HS512');
    const encoding = {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    } as const;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', ...encoding });
    await ask({ config: { 'auth-type': 'jwt', 'jwt-secret': privateKey, 'jwt-algorithm': 'ES256' } });
    expect((await jwtVerify(bearer(), await importSPKI(publicKey, 'ES256'))).payload.sub).toBe('n8n-webhook');
  });

  it.each([
    ['', 'HS256'],
    [secret, 'HS1'],
    [secret, 'RS256'],
    [secret, 'none'],
  ])('a token that cannot be signed with %j and %s is not sent', async (key, algorithm) => {
    const { error } = await ask({ config: { 'auth-type': 'jwt', 'jwt-secret': key, 'jwt-algorithm': algorithm } });
    expect(error).toMatchObject({ reason: 'invalid_request' });
    expect(error?.message).not.toContain(secret);
    expect(fake.requests).toEqual([]);
  });

  it('ai.n8n-service-api.header-name and ai.n8n-service-api.header-value: are sent with each call', async () => {
    fake.admit(({ headers }) => headers['x-secret'] === secret);
    const header = { 'auth-type': 'header', 'header-name': 'X-Secret', 'header-value': secret };
    expect((await ask({ config: header })).error).toBeUndefined();
    expect((await ask({ config: { ...header, 'header-name': '' } })).error).toMatchObject({
      reason: 'invalid_request',
    });
    expect((await ask({ config: { ...header, 'header-name': 'not a name' } })).error).toMatchObject({
      reason: 'invalid_request',
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('ai.n8n-service-api.timeout: limits the time without data, and 0 uses the default', async () => {
    fake.meet({ kind: 'silence' });
    const started = performance.now();
    expect((await ask({ config: { timeout: 1 } })).error).toMatchObject({ reason: 'provider_timeout' });
    expect(performance.now() - started).toBeLessThan(8000);
    expect((await ask({ config: { timeout: 0 } })).error).toBeUndefined();
  });

  it('ai.n8n-service-api.output-key: is the field of the text, also one in another', async () => {
    fake.respond({ response: 'no', answer: 'yes', 'a.b': 'dotted', deep: { reply: 'deep' } });
    expect((await ask({ config: { 'output-key': 'answer' } })).text).toBe('yes');
    expect((await ask({ config: { 'output-key': 'deep.reply' } })).text).toBe('deep');
    expect((await ask({ config: { 'output-key': 'a.b' } })).text).toBe('dotted');
    expect((await ask({ config: { 'output-key': '' } })).text).toBe('no');
    const missing = await ask({ config: { 'output-key': 'toString' } });
    expect(missing.error?.message).toBe('The answer of n8n has no field "toString".');
  });
});
