import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type FakeBotAddress,
  type FakeChat,
  type FakeMessage,
  type FakePlatform,
  type Forgery,
  NotOfThisPlatform,
} from '../../fake-platform.ts';
import { FakeChats } from './chats.ts';
import { FakeDelivery } from './delivery.ts';
import { eventOf, type WrittenMessage, written } from './events.ts';
import { FakeLogins } from './logins.ts';
import { FakeServer } from './server.ts';

const signingKey = 'signing-key-of-the-parrot';
const accounts = [
  { id: 'parrot', secret: 'secret-of-the-parrot' },
  { id: 'canary', secret: 'secret-of-the-canary' },
];
const person: FakeChat = { session_type: 'person', session_id: 'ada', thread_id: '' };
const group: FakeChat = { session_type: 'group', session_id: 'aviary', thread_id: '' };
const thread: FakeChat = { ...group, thread_id: 'seeds' };

/** How often the platform polls a stream, milliseconds. */
const pollInterval = 5;

/** Starts a fake of the invented platform. @param mode how events reach the bot */
export async function startFakeInvented(mode: 'webhook' | 'websocket'): Promise<FakePlatform> {
  const isWebhook = mode === 'webhook';
  let offset = 0;
  const now = () => Date.now() + offset;
  const chats = new FakeChats([person, group, thread], now);
  const delivery = new FakeDelivery(signingKey, isWebhook);
  const polling = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  /** Streams that are polled no more. */
  const closing = new Set<string>();
  const ending = new AbortController();
  const logins = new FakeLogins({ account: 'parrot', secret: 'secret-of-the-parrot', signing_key: signingKey });
  const server = new FakeServer({ accounts, chats, delivery, logins, now, begun: (id) => void pollUntilDone(id) });
  await server.listen();
  const trap = await startTrap();
  const known = new Map<string, WrittenMessage>();
  let lastId = 0;

  async function poll(id: string) {
    const stream = chats.streams.get(id);
    const { outcome, response } = await delivery.deliver({ kind: 'poll', stream: id });
    const { text, done } = (response ?? {}) as { text?: unknown; done?: unknown };
    if (outcome !== 'acknowledged' || typeof text !== 'string') return null;
    if (stream !== undefined) chats.showPolled(stream, { text, done: done === true });
    return { text, isFinished: done === true };
  }

  async function pollUntilDone(id: string): Promise<void> {
    if (polling.has(id)) return;
    polling.add(id);
    const isOver = () => ending.signal.aborted || closing.has(id) || chats.streams.get(id)?.isDone !== false;
    while (!isOver()) {
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
      if (isOver()) return;
      const polled = poll(id).catch(() => null);
      underWay.add(polled);
      await polled;
      underWay.delete(polled);
    }
  }

  /** A poll that is under way is shown yet: the platform says that it polls no more after the last one. */
  async function closeStreams() {
    const open = [...chats.streams.values()].filter(({ isDone }) => !isDone);
    for (const { id } of open) closing.add(id);
    await Promise.all(underWay);
    for (const stream of open.filter(({ isDone }) => !isDone)) {
      stream.isDone = true;
      if (stream.shown !== null) stream.shown.isUnfinished = false;
      void delivery.deliver({ ...eventOf('closed'), stream: stream.id });
    }
  }

  async function timed(event: object) {
    const begun = performance.now();
    const { outcome } = await delivery.deliver(event);
    return { outcome, milliseconds: performance.now() - begun };
  }

  function write(message: FakeMessage): WrittenMessage {
    lastId += 1;
    const chat = message.chat ?? person;
    const id = `message-${lastId}`;
    const sent = written(id, { ...message, chat }, { address: server.address, trap: trap.address, now, chats, known });
    if ((message.sender ?? 'user') === 'user') sent.reply = chats.ask(chat, id);
    known.set(id, sent);
    return sent;
  }

  const messageOf = (id: string) => {
    const message = known.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}`);
    return message;
  };
  const requireWebhook = (what: string) => {
    if (!isWebhook) throw new NotOfThisPlatform(what);
  };
  const configOf = (index: number) => ({
    account: accounts[index]?.id,
    secret: accounts[index]?.secret,
    signing_key: signingKey,
    address: server.address,
    transport: mode,
  });
  const raw = async (bytes: Uint8Array) => {
    if (isWebhook) return (await delivery.post(bytes)).outcome;
    delivery.frame(bytes);
    return 'none' as const;
  };

  async function tamper(change: (body: Uint8Array) => Uint8Array) {
    const body = Buffer.from(JSON.stringify(eventOf('message', write({ text: 'Changed' }))));
    const time = String(Math.floor(Date.now() / 1000));
    const signature = delivery.sign([time, 'nonce', body]);
    const headers = { 'x-invented-time': time, 'x-invented-nonce': 'nonce', 'x-invented-signature': signature };
    return (await delivery.send({ body: change(body), headers })).outcome;
  }

  async function forge(how: Forgery) {
    const event = JSON.stringify(eventOf('message', write({ text: 'Forged' })));
    const body = Buffer.from(event);
    if (how === 'malformed') return [await raw(Buffer.from('{"kind":')), await raw(Buffer.from('null'))];
    if (how === 'oversize') return [await raw(Buffer.from(`"${'a'.repeat(17 * 1024 * 1024)}"`))];
    if (how === 'deep') return [await raw(Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)))];
    requireWebhook(how);
    const outcome = async (over: Record<string, string | null>) => (await delivery.post(body, over)).outcome;
    const away = (seconds: number) => outcome({ 'x-invented-time': String(Math.floor(Date.now() / 1000) + seconds) });
    switch (how) {
      case 'wrong_signature':
        return [
          await outcome({ 'x-invented-signature': 'a'.repeat(64) }),
          await outcome({ 'x-invented-nonce': 'other' }),
        ];
      case 'missing_signature':
        return Promise.all(['signature', 'time', 'nonce'].map((name) => outcome({ [`x-invented-${name}`]: null })));
      case 'short_signature': {
        const time = String(Math.floor(Date.now() / 1000));
        const signature = delivery.sign([time, 'n', body]);
        const cutTo = (length: number) =>
          outcome({
            'x-invented-time': time,
            'x-invented-nonce': 'n',
            'x-invented-signature': signature.slice(0, length),
          });
        return [await cutTo(32), await cutTo(0)];
      }
      case 'of_another_bot': {
        const time = String(Math.floor(Date.now() / 1000));
        const signature = delivery.sign([time, 'n', body], 'key-of-another-bot');
        return [await outcome({ 'x-invented-time': time, 'x-invented-nonce': 'n', 'x-invented-signature': signature })];
      }
      case 'too_old':
        return [await away(-600)];
      case 'from_the_future':
        return [await away(600)];
      case 'replayed':
        return delivery.last === null ? [] : [(await delivery.send(delivery.last)).outcome];
      default: {
        const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
        return [(await delivery.post(bomb, { 'content-encoding': 'gzip' })).outcome];
      }
    }
  }

  return {
    config: () => configOf(0),
    otherConfig: () => configOf(1),
    accountId: 'parrot',
    enterAddress: ({ url }: FakeBotAddress) => {
      delivery.url = url;
    },
    person: () => person,
    group: () => group,
    thread: () => thread,
    userId: 'ada',
    unknownChat: () => ({ session_type: 'person', session_id: 'nobody', thread_id: '' }),
    deliver: async (message) => {
      const sent = write(message);
      return { id: sent.id, ...(await timed(eventOf('message', sent))) };
    },
    redeliver: async (id, { asOtherKind = false, overOther = false } = {}) => {
      if (overOther) requireWebhook('two connections of one bot');
      return { id, ...(await timed(eventOf(asOtherKind ? 'mention' : 'message', messageOf(id)))) };
    },
    edit: async (id, text) => {
      const edited = { ...messageOf(id), parts: [{ type: 'text', text }] };
      return { id, ...(await timed(eventOf('edited', edited))) };
    },
    recall: async (id) => ({ id, ...(await timed({ ...eventOf('recalled'), message: { id } })) }),
    addBot: async () => {
      const event = { ...eventOf('joined'), message: { chat: { kind: 'group', id: group.session_id } } };
      return { id: event.id, ...(await timed(event)) };
    },
    forge,
    verifyAddress: async (how = 'right') => {
      requireWebhook('an address');
      const time = String(Math.floor(Date.now() / 1000));
      const signature = delivery.sign([time, 'nonce', 'a challenge']);
      const query = new URLSearchParams({ challenge: 'a challenge', time, nonce: how === 'right' ? 'nonce' : 'other' });
      query.set('signature', signature);
      const response = await fetch(`${delivery.url}?${query}`);
      return (await response.text()) === 'a challenge' && response.status === 200;
    },
    raw,
    ...(isWebhook && { tamper }),
    samples: () => {
      const message = write({ text: 'A sample', quotes: 'gone', mention: 'account', chat: group });
      const events = [
        eventOf('message', message),
        eventOf('edited', message),
        { ...eventOf('recalled'), message: { id: message.id } },
        { ...eventOf('failed'), message: { id: 'shown-1' }, reason: 'blocked' },
        { kind: 'poll', stream: 'unknown' },
      ];
      const frames = isWebhook ? events : events.map((event) => ({ op: 'event', id: 'sample', event }));
      return frames.map((frame) => Buffer.from(JSON.stringify(frame)));
    },
    sent: () => chats.messages.map((message) => ({ ...message, history: [...message.history] })),
    calls: (route) => server.calls(route),
    secrets: () => server.issued,
    violations: () => server.violations,
    fail: (route, how, times = 1) => server.fail(route, how, times),
    limit: ({ times = 1, ...rest }) => {
      server.limit = { times, ...rest };
    },
    failLater: async (id) => {
      await timed({ ...eventOf('failed'), message: { id }, reason: 'blocked' });
    },
    goAway: async () => {
      delivery.isAway = true;
      await server.goAway();
    },
    comeBack: async () => {
      await server.listen();
      delivery.isAway = false;
      if (isWebhook) delivery.flush();
    },
    halfOpen: () => {
      requireSockets(isWebhook);
      for (const entry of delivery.sockets) entry.isMuted = true;
    },
    askToReconnect: () => {
      requireSockets(isWebhook);
      delivery.frame({ op: 'reconnect' });
    },
    forgetSessions: () => {
      requireSockets(isWebhook);
      server.sessions.clear();
    },
    takeOver: () => {
      requireSockets(isWebhook);
      for (const { socket } of delivery.sockets) socket.close(4002);
    },
    revoke: () => {
      server.isRevoked = true;
      server.tokens.clear();
      for (const { socket } of delivery.sockets) socket.close(4001);
    },
    expireToken: () => server.tokens.clear(),
    connections: () => ({ open: delivery.sockets.size, attempts: server.attempts }),
    stopAnswer: async (messageId) => {
      const message = chats.messages.find(({ id }) => id === messageId);
      const stream = [...chats.streams.values()].find(({ shown }) => shown?.id === messageId);
      if (message !== undefined) message.isUnfinished = false;
      if (stream !== undefined) stream.isDone = true;
      await timed({ ...eventOf('stopped'), stream: stream?.id ?? messageId });
    },
    closeStream: () => {
      for (const message of chats.messages) message.isUnfinished = false;
      void closeStreams();
    },
    settled: async () => void (await Promise.all(underWay)),
    pollStream: (id) => poll(id ?? [...chats.streams.keys()].at(-1) ?? ''),
    spendWindow: (id) => chats.spend(id),
    signIn: (step) => logins.act(step),
    handOut: (kind) => {
      requireSockets(isWebhook);
      server.handedOut = `${trap.address.replace('http', 'ws')}/${kind}`;
    },
    now,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    close: async () => {
      ending.abort();
      delivery.end();
      await server.goAway();
      await trap.close();
    },
  };
}

function requireSockets(isWebhook: boolean): void {
  if (isWebhook) throw new NotOfThisPlatform('a connection of the bot');
}

/** A server in a private network, whose content no message may reach. */
async function startTrap(): Promise<{ address: string; close(): Promise<void> }> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'x-invented-file': 'trap' }).end('Private');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Always so for a server that listens on a port.
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `http://127.0.0.1:${port}`, close };
}
