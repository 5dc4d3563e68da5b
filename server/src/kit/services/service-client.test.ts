import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../guarded-fetch.ts';
import { ServiceClient, type ServiceClientOptions } from './service-client.ts';
import { type FakeFault, type FakeService, sse, startFakeService } from './testing/fake-service.ts';

let service: FakeService;
beforeAll(async () => {
  service = await startFakeService((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'] ?? null }));
  });
});
afterAll(() => service.close());

const secret = 'a key & more';
const client = (over: Partial<ServiceClientOptions> = {}) =>
  new ServiceClient({
    name: 'Service',
    fetch: createGuardedFetch({ policy: 'saved' }),
    signal: new AbortController().signal,
    silenceTimeoutMs: 10_000,
    secrets: [secret],
    ...over,
  });
const stream = (pieces: string[], ending: 'end' | 'cut' | 'silence' = 'end'): FakeFault => {
  return { kind: 'stream', type: 'text/event-stream', pieces, ending };
};
const eventsOf = async (...faults: FakeFault[]) => {
  service.meet(...faults);
  const events: unknown[] = [];
  for await (const event of (await client().request(service.url)).events()) events.push(event);
  return events;
};

describe('a call', () => {
  it('sends JSON, a form or nothing, and reads the response', async () => {
    const sent = await client().request(service.url, { json: { a: '好' } });
    expect(sent).toMatchObject({ status: 200, mediaType: 'application/json' });
    expect(await sent.json()).toEqual({ method: 'POST', type: 'application/json' });
    expect(service.requests.at(-1)?.json).toEqual({ a: '好' });
    const form = new FormData();
    form.set('user', 'Ada');
    form.set('file', new Blob(['content'], { type: 'text/plain' }), 'a.txt');
    await (await client().request(service.url, { form })).text();
    expect(service.requests.at(-1)?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(String(service.requests.at(-1)?.body)).toMatch(
      /name="file"; filename="a\.txt"\r\nContent-Type: text\/plain/,
    );
    expect(await (await client().request(service.url, { method: 'GET' })).json()).toEqual({
      method: 'GET',
      type: null,
    });
  });

  it('that is refused has the message and code of the service, but no secret', async () => {
    const body = JSON.stringify({ code: 'not_found', message: `Unknown key ${secret}.` });
    service.meet({ kind: 'answer', status: 404, body });
    await expect(client().request(service.url)).rejects.toMatchObject({
      reason: 'provider_failed',
      message: 'Service answered 404: Unknown key ….',
      status: 404,
      code: 'not_found',
    });
  });

  it.each([
    ['{"error": {"message": "Full", "type": "quota"}}', 'Service answered 500: Full.', 'quota'],
    ['{"error": "Full"}', 'Service answered 500: Full.', null],
    ['{"msg": "Full", "code": 4100}', 'Service answered 500: Full.', '4100'],
    ['{"detail": "Full"}', 'Service answered 500: Full.', null],
    ['{"message": {"deep": true}}', 'Service answered 500.', null],
    ['["Full"]', 'Service answered 500.', null],
    ['{"mess', 'Service answered 500.', null],
    ['', 'Service answered 500.', null],
    [`{"message": "${'x '.repeat(100_000)}"}`, 'Service answered 500.', null],
  ])('that is refused with %s', async (body, message, code) => {
    service.meet({ kind: 'answer', status: 500, body });
    await expect(client().request(service.url)).rejects.toMatchObject({ message, code });
  });

  it('ends at its deadline, however much data arrives', async () => {
    service.meet({ kind: 'stream', type: 'text/plain', pieces: ['x'], ending: 'on and on' });
    const answer = await client({ totalTimeoutMs: 500 }).request(service.url);
    await expect(answer.text(Number.POSITIVE_INFINITY)).rejects.toMatchObject({ reason: 'time_limit' });
    await service.requests.at(-1)?.closed;
  });

  it('is not made with a signal that is aborted', async () => {
    const before = service.requests.length;
    const signal = AbortSignal.abort('stop');
    await expect(client({ signal }).request(service.url)).rejects.toBe('stop');
    expect(service.requests).toHaveLength(before);
  });

  it.each(['not a url', 'ftp://127.0.0.1/', 'http://user:password@127.0.0.1/', 'http://169.254.169.254/'])(
    'does not go to %s',
    async (address) => {
      await expect(client().request(address)).rejects.toMatchObject({ reason: 'address_not_allowed' });
    },
  );
});

describe('an answer', () => {
  it('that is not JSON, or is too long, is refused', async () => {
    service.meet({ kind: 'answer', status: 200, body: '{"a":' }, { kind: 'answer', status: 200, body: '12345' });
    await expect((await client().request(service.url)).json()).rejects.toMatchObject({ reason: 'provider_failed' });
    await expect((await client().request(service.url)).json(4)).rejects.toThrow('too long');
  });

  it('decodes characters that are split between two chunks', async () => {
    const answer = new Response(
      new ReadableStream({
        start: (controller) => {
          const bytes = new TextEncoder().encode('好😀');
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      }),
    );
    const text = await (await client({ fetch: async () => answer }).request(service.url)).text();
    expect(text).toBe('好😀');
  });

  it('can be left, which ends the connection', async () => {
    service.meet(stream(sse('a'), 'silence'));
    const answer = await client().request(service.url);
    for await (const { data } of answer.events()) {
      expect(data).toBe('a');
      break;
    }
    await service.requests.at(-1)?.closed;
    service.meet(stream(sse('a'), 'silence'));
    await (await client().request(service.url)).close();
    await service.requests.at(-1)?.closed;
  });

  it('ends with the reason of the signal, without earlier data', async () => {
    const controller = new AbortController();
    service.meet(stream([sse('a', 'b', 'c').join('')], 'silence'));
    const events = (await client({ signal: controller.signal }).request(service.url)).events();
    expect((await events.next()).value).toMatchObject({ data: 'a' });
    controller.abort('enough');
    await expect(events.next()).rejects.toBe('enough');
  });

  it('that breaks or stalls is reported', async () => {
    await expect(eventsOf(stream(['data: a'], 'cut'))).rejects.toThrow('The answer of Service broke off.');
    service.meet(stream(sse('a'), 'silence'));
    const events = (await client({ silenceTimeoutMs: 50 }).request(service.url)).events();
    await events.next();
    await expect(events.next()).rejects.toMatchObject({ reason: 'provider_timeout' });
  });
});

describe('events', () => {
  it('are read across chunks, with their names, and the last one without its empty line', async () => {
    const pieces = ['event: a\r\nda', 'ta: 1\r\ndata: 2\r\n\r\n: comment\n\n', 'data: {"x":', '1}\n\ndata: end'];
    expect(await eventsOf(stream(pieces))).toEqual([
      { event: 'a', data: '1\n2' },
      { event: '', data: '{"x":1}' },
      { event: '', data: 'end' },
    ]);
    expect(await eventsOf(stream(['<html>no events here</html>']))).toEqual([]);
  });

  it('end where one is too long', async () => {
    const piece = 'x'.repeat(1_000_000);
    await expect(eventsOf(stream(['data: ', ...new Array(17).fill(piece)]))).rejects.toThrow('too long');
  });

  it('hold JSON until they are done', async () => {
    service.meet(stream(sse({ a: 1 }, '', '[DONE]', 'rest')), stream(sse({ a: 1 }, '{"a":')));
    const read = async () => {
      const found: unknown[] = [];
      for await (const event of (await client().request(service.url)).jsonEvents()) found.push(event);
      return found;
    };
    expect(await read()).toEqual([{ event: '', data: { a: 1 } }]);
    await expect(read()).rejects.toThrow('An event of Service is malformed: it is not JSON.');
  });
});
