import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakePlatform } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { Stage } from '../../../sdk/testing/platforms/stage.ts';
import { platformHost } from '../../src/kit/testing/platform-host.ts';
import { fakedPlatforms } from '../factories/faked-platforms.ts';

/** Of each kind of event. */
const mutations = 10_000;
const timeout = 300_000;

const deliveries = Object.entries(fakedPlatforms).flatMap(([name, { platform, deliveries: ways, signed }]) =>
  Object.entries(ways).map(([way, start]) => ({ name, way, platform, start, isSigned: signed.includes(way) })),
);

describe.each(deliveries)('events of $name by $way', ({ platform, start, isSigned }) => {
  const open = async () => Stage.open({ platform, fake: start, host: platformHost, patienceMs: 20_000 });

  it('are read or dropped, however they are mutated', { timeout }, async () => {
    const stage = await open();
    await stage.start();
    const random = seeded(7);
    for (const sample of stage.fake.samples()) {
      for (let times = 0; times < mutations; times += 1) await stage.fake.raw(mutated(sample, random));
    }
    await stage.ask({ text: 'A right one' });
    for (const event of stage.context.received) expect(event.platform_message_id).toEqual(expect.any(String));
    await stage.close();
  });

  it.runIf(isSigned)('do not pass with the signature of another one', { timeout }, async () => {
    const stage = await open();
    const recorder = await recordRequests(stage.context.webhook_url ?? '', stage.fake);
    await stage.start();
    await stage.ask({ text: 'A right one' });
    const [request] = recorder.requests;
    if (request === undefined) throw new Error('No request was recorded');
    const before = stage.context.received.length;
    const random = seeded(11);
    for (let times = 0; times < mutations; times += 1) {
      const body = mutated(request.body, random);
      if (Buffer.from(body).equals(request.body)) continue;
      const { status } = await fetch(stage.context.webhook_url ?? '', {
        method: 'POST',
        headers: request.headers,
        body,
      });
      expect(status).toBeGreaterThanOrEqual(400);
    }
    expect(stage.context.received).toHaveLength(before);
    await recorder.close();
    await stage.close();
  });
});

/** Stands between a fake and the bot, and keeps what is posted. */
async function recordRequests(to: string, fake: FakePlatform) {
  const requests: { headers: Record<string, string>; body: Buffer<ArrayBuffer> }[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { host: _, 'content-length': __, connection: ___, 'transfer-encoding': ____, ...rest } = incoming.headers;
    const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
    const body = Buffer.concat(chunks);
    requests.push({ headers, body });
    const answer = await fetch(to, { method: 'POST', headers, body });
    response.writeHead(answer.status).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.enterAddress({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { requests, close };
}

/** Numbers in [0, 1) that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A few bytes changed, removed or repeated. */
function mutated(sample: Uint8Array, random: () => number): Uint8Array<ArrayBuffer> {
  const bytes = [...sample];
  const place = () => Math.floor(random() * bytes.length);
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const how = Math.floor(random() * 3);
    if (how === 0) bytes[place()] = Math.floor(random() * 256);
    if (how === 1) bytes.splice(place(), Math.floor(random() * 8));
    if (how === 2) bytes.splice(place(), 0, ...bytes.slice(place(), place() + 8));
  }
  return Uint8Array.from(bytes);
}
