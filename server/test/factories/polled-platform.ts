import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as bodyOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageEvent, OutgoingMessage, Platform, PlatformAdapter, PlatformContext } from '@parley/sdk';
import Type from 'typebox';
import { messageEvent } from '../stores/ledger-records.ts';

/** A message as it was sent to the platform. */
export interface RecordedSend {
  chat: string;
  text: string;
  token: string;
}

/** A platform outside of the service, which outlives the processes that poll it. */
export interface PolledServer {
  url: string;
  /** What users see, in order: with `drops_repeats`, each token once. */
  shown: RecordedSend[];
  /** How often a message was sent whose token was known. */
  repeats(): number;
  /** A user writes; bots get it with their next request. */
  write(chat: string, text: string): void;
  close(): Promise<void>;
}

/** Between the arrival of a message and the response to it, milliseconds: a service may be killed meanwhile. */
const responseMs = 5;
/** Most messages of one response. */
const batch = 20;

/** Starts a platform that hands messages out again until a request says that they are stored. */
export async function startPolledServer({ drops_repeats }: { drops_repeats: boolean }): Promise<PolledServer> {
  const written: MessageEvent[] = [];
  const shown: RecordedSend[] = [];
  const tokens = new Set<string>();
  let acknowledged = 0;
  let repeats = 0;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/updates') {
      acknowledged += Number(searchParams.get('stored'));
      if (written.length <= acknowledged) await delay(20);
      response.end(JSON.stringify(written.slice(acknowledged, acknowledged + batch)));
      return;
    }
    const send = JSON.parse(await bodyOf(request)) as RecordedSend;
    if (tokens.has(send.token)) repeats += 1;
    if (!tokens.has(send.token) || !drops_repeats) shown.push(send);
    tokens.add(send.token);
    await delay(responseMs);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shown,
    repeats: () => repeats,
    write: (chat, text) => {
      const ids = { platform_message_id: `update-${written.length}`, session_id: chat, sender_id: chat };
      written.push(messageEvent(text, ids));
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What a service connects to that server with. */
export function polledPlatform(url: string, idempotent_sends: boolean): Platform {
  return {
    name: 'polled',
    label: { en_US: 'Polled platform' },
    description: { en_US: 'A platform for tests' },
    categories: ['global'],
    capabilities: {
      proactive: 'any',
      streams: {},
      text_limit: null,
      idempotent_sends,
      elements: ['Plain'],
      webhook: false,
    },
    config: Type.Object({}),
    load: async () => ({ create: (_, context) => createAdapter(url, context) }),
  };
}

function createAdapter(url: string, context: PlatformContext): PlatformAdapter {
  const stopping = new AbortController();
  let polling = Promise.resolve();
  const poll = async () => {
    let stored = 0;
    while (!stopping.signal.aborted) {
      const response = await fetch(`${url}/updates?stored=${stored}`);
      const events = (await response.json()) as MessageEvent[];
      const results = await context.receiveAll(events);
      const failed = results.findIndex(({ status }) => status === 'rejected');
      stored = failed === -1 ? results.length : failed;
    }
  };
  return {
    start: async () => {
      polling = poll();
    },
    stop: async () => {
      stopping.abort();
      await polling;
    },
    send: async ({ target, message_chain, idempotency_token }: OutgoingMessage) => {
      const text = message_chain.map((element) => (element.type === 'Plain' ? element.text : element.type)).join('');
      const body = JSON.stringify({ chat: target.session_id, text, token: idempotency_token });
      const response = await fetch(`${url}/send`, { method: 'POST', body });
      await response.arrayBuffer();
      return {};
    },
  };
}
