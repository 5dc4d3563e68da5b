// A fake Telegram in a process of its own: a Bot API server on 127.0.0.1 for any number of bots, which fails as it is
// told over the channel and records what users see. Other than Telegram it keeps nothing from the bots it serves.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveFunctions } from '../../lib/child-program.ts';
import { shownParts } from '../answer-text.ts';
import { type FaultRule, type MethodKind, present, type RecordedSend, type TelegramRecord } from '../record.ts';
import { FakeBot } from './fake-bot.ts';
import { FaultRules, type MetFault } from './fault-rules.ts';
import { RateLimit, type SendRates } from './rate-limit.ts';
import { Refusal } from './refusal.ts';

/** Bots by their name. */
const bots = new Map<string, FakeBot>();
const sends: RecordedSend[] = [];
const faults = new FaultRules();
const sockets = new Set<Socket>();
/** Who waits for a request of some kind that a process makes. */
const waiting = new Set<{ kind: MethodKind; process: number; arrived(): void }>();
const limits = new Map<string, RateLimit>();
/** Shortest and longest time that a request takes, milliseconds. */
let latency: readonly [number, number] = [5, 30];
/** Share of the sends that do not take effect when their caller is gone before they do: a network may lose them, too. */
const lostWithCaller = 0.3;
let server: Server | null = null;
let port = 0;
let lastActivity = present();
/** When a send last took effect. */
let lastAppliedAt = 0;

const changes = ['sendMessage', 'editMessageText', 'deleteMessage'] as const;
type Change = (typeof changes)[number];
const isChange = (method: string): method is Change => (changes as readonly string[]).includes(method);

function kindOf(method: string): MethodKind {
  if (method === 'getUpdates') return 'poll';
  if (method === 'sendMessage') return 'send';
  return method === 'editMessageText' || method === 'deleteMessage' ? 'edit' : 'other';
}

interface Call {
  bot: FakeBot;
  name: string;
  method: string;
  parameters: Record<string, unknown>;
  send: RecordedSend | null;
  /** Process id of the service; 0 where it does not say. */
  sender: number;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request, response);
  if (call === null) return;
  const kind = kindOf(call.method);
  const chat = call.parameters.chat_id === undefined ? null : Number(call.parameters.chat_id);
  for (const one of waiting) if (one.kind === kind && one.process === call.sender) one.arrived();
  const fault = faults.meet(call.name, chat, kind);
  if (kind !== 'poll') await delay((latency[0] + Math.random() * (latency[1] - latency[0])) / 2);
  if (fault?.action.kind === 'slow') await delay(fault.action.milliseconds);
  else if (fault !== null && meet(call, fault, response)) return;
  if (call.send !== null && response.socket?.destroyed !== false && Math.random() < lostWithCaller) return;
  try {
    const result = await carryOut(call, response);
    if (fault?.action.kind === 'drop') return void response.socket?.destroy();
    if (kind !== 'poll') await delay((latency[0] + Math.random() * (latency[1] - latency[0])) / 2);
    answer(call, response, 200, { ok: true, result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuse(call, response, error);
  }
}

/** @returns null when it was answered here */
async function readCall(request: IncomingMessage, response: ServerResponse): Promise<Call | null> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
  const found = [...bots].find(([, bot]) => bot.token === token);
  if (found === undefined) {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: false, error_code: 401, description: 'Unauthorized' }));
    return null;
  }
  const [name, bot] = found;
  const parameters = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  const sender = Number(request.headers['x-sending-process'] ?? 0);
  if (!isChange(method)) return { bot, name, method, parameters, send: null, sender };
  const send: RecordedSend = {
    bot: name,
    chat: Number(parameters.chat_id),
    questions: [...new Set(shownParts(String(parameters.text ?? '')).map(({ id }) => id))],
    method,
    messageId: parameters.message_id === undefined ? null : Number(parameters.message_id),
    receivedAt: present(),
    appliedAt: null,
    answeredAt: null,
    status: 0,
    retryAfter: null,
    process: sender,
  };
  sends.push(send);
  lastActivity = send.receivedAt;
  return { bot, name, method, parameters, send, sender };
}

/** @returns whether the request is done with */
function meet(call: Call, { action, secondsLeft }: MetFault, response: ServerResponse): boolean {
  switch (action.kind) {
    case 'limit': {
      const retryAfter = action.countsDown === true ? secondsLeft : action.retryAfter;
      refuse(call, response, new Refusal(429, `Too Many Requests: retry after ${retryAfter}`, retryAfter));
      return true;
    }
    case 'refuse':
      refuse(call, response, new Refusal(action.code, action.description));
      return true;
    case 'page':
      noteAnswer(call.send, response, action.status);
      response.writeHead(action.status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>');
      return true;
    case 'drop':
      if (!action.applied) response.socket?.destroy();
      return !action.applied;
    case 'silence':
      return true;
    case 'slow':
      return false;
  }
}

async function carryOut(
  { bot, name, method, parameters, send, sender }: Call,
  response: ServerResponse,
): Promise<unknown> {
  if (send !== null) {
    const wait = limits.get(name)?.take(send.chat) ?? null;
    if (wait !== null) throw new Refusal(429, `Too Many Requests: retry after ${wait}`, wait);
  }
  const change = (messageId: number) => {
    lastAppliedAt = present();
    if (send !== null) Object.assign(send, { messageId, appliedAt: lastAppliedAt });
    return messageId;
  };
  const message = (messageId: number) => ({
    message_id: messageId,
    date: Math.floor(Date.now() / 1000),
    from: bot.identity(),
    chat: { id: Number(parameters.chat_id), type: 'private', first_name: 'User' },
    text: String(parameters.text),
  });
  switch (method) {
    case 'getMe':
      return bot.identity();
    case 'getUpdates': {
      const left = new AbortController();
      response.once('close', () => left.abort());
      return await bot.getUpdates(parameters, left.signal, sender);
    }
    case 'sendMessage':
      return message(change(bot.send(parameters)));
    case 'editMessageText':
      return message(change(bot.edit(parameters)));
    case 'deleteMessage':
      change(bot.delete(parameters));
      return true;
    case 'sendChatAction':
      return true;
    case 'setWebhook':
      return bot.setWebhook(parameters);
    case 'deleteWebhook':
      return bot.setWebhook({});
    case 'getWebhookInfo':
      return bot.webhookInfo();
    default:
      throw new Refusal(404, 'Not Found: method not found');
  }
}

function refuse(call: Call, response: ServerResponse, { code, message, retryAfter }: Refusal): void {
  if (call.send !== null) call.send.retryAfter = retryAfter;
  const parameters = retryAfter === null ? {} : { parameters: { retry_after: retryAfter } };
  answer(call, response, code, { ok: false, error_code: code, description: message, ...parameters });
}

function answer({ send }: Call, response: ServerResponse, status: number, body: object): void {
  noteAnswer(send, response, status);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function noteAnswer(send: RecordedSend | null, response: ServerResponse, status: number): void {
  if (send === null) return;
  response.once('finish', () => {
    Object.assign(send, { answeredAt: present(), status });
    lastActivity = present();
  });
}

async function listen(): Promise<void> {
  if (server !== null) return;
  const opened = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A caller that leaves in the middle is none of the fake's faults.
      if (!request.destroyed) process.stderr.write(`fake Telegram: ${String(error)}\n`);
      response.socket?.destroy();
    });
  });
  opened.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  opened.listen(port, '127.0.0.1');
  await once(opened, 'listening');
  port = (opened.address() as AddressInfo).port;
  server = opened;
}

async function refuseConnections(): Promise<void> {
  if (server === null) return;
  const closing = server;
  server = null;
  const closed = once(closing, 'close');
  closing.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}

const functions = {
  /** @returns the address that a bot's `api_base_url` would hold */
  address: () => `http://127.0.0.1:${port}`,
  addBot: (name: string, token: string) => {
    bots.set(name, new FakeBot(name, token));
  },
  /** Users write. */
  say: (bot: string, chat: number, text: string) => bots.get(bot)?.receive(chat, text),
  setFaults: (rules: FaultRule[]) => faults.set(rules),
  /** Limits what a bot may send; without this it may send anything. */
  setRates: (bot: string, rates: SendRates) => {
    limits.set(bot, new RateLimit(rates));
  },
  /** Resolves once a process has made a request of a kind, while that is being carried out; false when none came in time. */
  nextRequest: (kind: MethodKind, process: number, withinMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const one = { kind, process, arrived: () => end(true) };
      const end = (hasCome: boolean) => {
        clearTimeout(timer);
        waiting.delete(one);
        resolve(hasCome);
      };
      const timer = setTimeout(() => end(false), withinMs);
      waiting.add(one);
    }),
  setLatency: (shortest: number, longest: number) => {
    latency = [shortest, longest];
  },
  refuseConnections,
  acceptConnections: listen,
  status: () => ({
    pending: [...bots.values()].reduce((sum, { pending }) => sum + pending, 0),
    polled: [...bots].filter(([, { isPolled }]) => isPolled).map(([name]) => name),
    /** Ids of the processes that polled last, by bot. */
    pollers: Object.fromEntries([...bots].map(([name, { lastPoller }]) => [name, lastPoller])),
    asked: [...bots.values()].reduce((sum, { questions }) => sum + questions.length, 0),
    lastAppliedAt,
    quietMs: present() - lastActivity,
  }),
  record: (): TelegramRecord => ({
    questions: [...bots.values()].flatMap(({ questions }) => questions),
    sends,
    visible: [...bots.values()].flatMap((bot) => bot.visible()),
    conflicts: [...bots.values()].flatMap(({ conflicts }) => conflicts),
  }),
};
export type TelegramFunctions = typeof functions;

await listen();
serveFunctions(functions);
