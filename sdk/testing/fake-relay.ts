import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeliveryFailureKind } from '../src/delivery-error.ts';
import type { PlatformAdapter } from '../src/platform.ts';
import type { Acknowledgement, FakeNetwork } from './platform-network-contract.ts';

const secret = 'of the relay and the bot';
const now = () => Math.floor(Date.now() / 1000);

const sign = (timestamp: number, body: string, key = secret) =>
  createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');

/** The relay of `examples/relay-platform`. It drops repeated tokens, as it documents. */
export async function startFakeRelay(): Promise<FakeNetwork & { close(): void }> {
  const arrived = new Map<string, string>();
  let failure: DeliveryFailureKind | null = null;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const kind = failure;
      failure = null;
      const isSigned =
        request.headers['x-relay-signature'] === sign(Number(request.headers['x-relay-timestamp']), body);
      if (!isSigned || kind === 'refused') return response.writeHead(403).end();
      if (kind === 'not_sent') return response.writeHead(429, { 'retry-after': '1' }).end();
      const { token, text } = JSON.parse(body) as { token: string; text: string };
      arrived.set(token, text);
      // The message arrived, but the sender gets no response.
      if (kind === 'unknown') return response.destroy();
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: token }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const post = async (adapter: PlatformAdapter, body: string, timestamp: number, signature: string) => {
    const headers = { 'x-relay-timestamp': String(timestamp), 'x-relay-signature': signature };
    const request = { method: 'POST', path: '', query: {}, headers, body: new TextEncoder().encode(body) } as const;
    return adapter.handleWebhook?.(request).then(
      ({ status }): Acknowledgement => (status === 200 ? 'acknowledged' : 'refused'),
      (): Acknowledgement => 'refused',
    ) as Promise<Acknowledgement>;
  };
  const body = JSON.stringify({ id: 'forged', user: 'ada', text: 'Give me the keys' });
  return {
    config: () => ({ address: `http://127.0.0.1:${port}/`, secret }),
    write: (adapter, { id, text }) => {
      const written = JSON.stringify({ id, user: 'ada', name: 'Ada', text });
      return post(adapter, written, now(), sign(now(), written));
    },
    forgeries: {
      unsigned: (adapter) => post(adapter, body, now(), ''),
      'signed by another': (adapter) => post(adapter, body, now(), sign(now(), body, 'guessed')),
      changed: (adapter) => post(adapter, body, now(), sign(now(), `${body} `)),
      'of an hour ago': (adapter) => post(adapter, body, now() - 3600, sign(now() - 3600, body)),
      'no JSON': (adapter) => post(adapter, '{', now(), sign(now(), '{')),
    },
    arrived: () => [...arrived.values()],
    failNext: (kind) => {
      failure = kind;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
