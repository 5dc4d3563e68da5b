import { once } from 'node:events';
import { createServer, type IncomingMessage as HttpRequest, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Update, User } from 'grammy/types';
import { freePort } from '../../../../test/shared/free-port.ts';
import { answerCall, type FakeCall, type FakeState, Refusal, type SentMessage } from './fake-methods.ts';
import { type IncomingMessage, parrot } from './fixtures.ts';

/** The fault of a call. */
export type FakeFault =
  /** Telegram's own refusal. */
  | {
      kind: 'error';
      code: number;
      description: string;
      parameters?: { retry_after?: number; migrate_to_chat_id?: number };
    }
  /** A page of a proxy in front of Telegram. */
  | { kind: 'page'; status: number }
  /** The call is carried out, and its answer lost. */
  | { kind: 'lost' }
  /** The connection is closed before the call is carried out. */
  | { kind: 'closed' }
  /** Nothing comes back until the caller leaves, and nothing is done. */
  | { kind: 'silence' }
  /** The call is carried out, and nothing comes back until the caller leaves. */
  | { kind: 'unanswered' };

/** A Bot API server for one bot on 127.0.0.1. Its state outlives {@link FakeTelegram.goAway}. */
export interface FakeTelegram {
  /** The value of `api_base_url`. */
  apiBaseUrl: string;
  token: string;
  bot: User & { username: string };
  /** Every call that came with the right token, oldest first. */
  calls: FakeCall[];
  /** Calls that no right bot makes. */
  violations: readonly string[];
  /** Messages of the bot, after edits. */
  messages: SentMessage[];
  /** Updates that were not confirmed yet. */
  readonly pending: number;
  /** The webhook that is set. */
  readonly webhook: { url: string; secret: string } | null;
  /** Sends a user's message to the bot, possibly repeatedly. @returns the update id */
  deliver(message: IncomingMessage): number;
  /** Whether an update was not confirmed yet. */
  isPending(update: number): boolean;
  /** How often a webhook responded to an update with another status than success. */
  refusalsOf(update: number): number;
  /** The present poll never ends by itself. */
  fallSilent(): void;
  /** Whether a poll is open. */
  readonly isPolled: boolean;
  /** Hands out any update. */
  deliverUpdate(update: Omit<Update, 'update_id'>): number;
  /** Adds a chat; those with messages from users are added automatically. */
  addChat(id: number): void;
  /** Blocks messages to the chat. */
  block(id: number): void;
  /** Keeps a file that messages name. @param path as `getFile` tells it */
  addFile(id: string, content: Uint8Array, path?: string): void;
  /** The next calls of a method meet a fault. `file` is a download, `*` any call that has no fault of its own. */
  fail(method: string, fault: FakeFault, times?: number): void;
  /** From now on the token is unknown. */
  revoke(): void;
  /** Another program sets a webhook. */
  setWebhook(url: string): void;
  /** Calls of a method, oldest first. */
  callsOf(method: string): FakeCall[];
  /** Closes the port and every connection. */
  goAway(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export interface FakeTelegramOptions {
  token?: string;
  bot?: User & { username: string };
  /** Pause before a webhook that failed is called again, milliseconds. */
  webhookPauseMs?: number;
}

/**
 * Starts a Bot API server according to https://core.telegram.org/bots/api, limited to methods that are used here.
 * Unlike Telegram, it accepts webhooks without TLS.
 */
export async function startFakeTelegram(options: FakeTelegramOptions = {}): Promise<FakeTelegram> {
  const { token = '987654321:AAfake-token-of_the_parrot', bot = parrot, webhookPauseMs = 100 } = options;
  const state: FakeState = {
    bot,
    updates: [],
    messages: [],
    chats: new Set(),
    blocked: new Set(),
    files: new Map(),
    webhook: null,
    isRevoked: false,
    lastMessageId: 10_000,
    violations: [],
    poll: null,
    wakePusher: () => {},
  };
  const calls: FakeCall[] = [];
  const faults = new Map<string, FakeFault[]>();
  /** By update. */
  const refusals = new Map<number, number>();
  let server: Server | null = null;
  let port = 0;
  let lastUpdate = 500_000;
  const closing = new AbortController();

  async function onRequest(request: HttpRequest, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://fake');
    const [, prefix, presented, rest = ''] = /^\/(file\/)?bot([^/]+)\/(.*)$/.exec(pathname) ?? [];
    const body = Buffer.concat(await request.toArray());
    if (presented === undefined || !presented.includes(':'))
      return sendRefusal(response, new Refusal(404, 'Not Found'));
    if (presented !== token || state.isRevoked) return sendRefusal(response, new Refusal(401, 'Unauthorized'));
    const method = prefix === undefined ? rest : 'file';
    const fault = faults.get(method)?.shift() ?? faults.get('*')?.shift();
    if (method !== 'file') calls.push({ method, ...(await readCall(request, body)), at: Date.now() });
    if (fault !== undefined && !isCarriedOut(fault)) return meet(fault, response);
    if (method === 'file') return sendFile(response, state.files, decodeURIComponent(rest));
    const call = calls.at(-1) as FakeCall;
    try {
      const left = new AbortController();
      response.once('close', () => left.abort());
      const result = await answerCall(state, call, left.signal);
      if (fault?.kind === 'lost') response.socket?.destroy();
      else if (fault === undefined) sendJson(response, 200, { ok: true, result });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendRefusal(response, error);
    }
  }

  async function listen(): Promise<void> {
    server = createServer((request, response) => {
      onRequest(request, response).catch((error: unknown) => {
        // A caller that leaves in the middle is no fault of the fake.
        if (!request.destroyed) sendRefusal(response, new Refusal(500, `The fake failed: ${String(error)}`));
      });
    });
    server.listen(port || (await freePort()), '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  async function goAway(): Promise<void> {
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    server = null;
    await closed;
  }

  /** Sends pending updates to the webhook, one after the other, until each is accepted. */
  async function push(): Promise<void> {
    while (!closing.signal.aborted) {
      const [update] = state.updates;
      const { webhook } = state;
      if (update === undefined || webhook === null || server === null) {
        await new Promise<void>((resolve) => {
          state.wakePusher = resolve;
        });
        continue;
      }
      const status = await post(webhook, update, closing.signal);
      if (status >= 200 && status < 300) {
        state.updates = state.updates.filter((one) => one !== update);
      } else {
        refusals.set(update.update_id, (refusals.get(update.update_id) ?? 0) + 1);
        webhook.lastError = {
          date: Math.floor(Date.now() / 1000),
          message: `Wrong response from the webhook: ${status}`,
        };
        await delay(webhookPauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  await listen();
  void push();
  const deliverUpdate = (update: Omit<Update, 'update_id'>): number => {
    lastUpdate += 1;
    if (update.message?.chat?.id !== undefined) state.chats.add(update.message.chat.id);
    state.updates.push({ update_id: lastUpdate, ...update } as Update);
    state.poll?.wake();
    state.wakePusher();
    return lastUpdate;
  };

  return {
    apiBaseUrl: `http://127.0.0.1:${port}`,
    token,
    bot,
    calls,
    violations: state.violations,
    messages: state.messages,
    get pending() {
      return state.updates.length;
    },
    get webhook() {
      return state.webhook === null ? null : { url: state.webhook.url, secret: state.webhook.secret };
    },
    deliver: (message) => deliverUpdate({ message }),
    isPending: (update) => state.updates.some(({ update_id }) => update_id === update),
    refusalsOf: (update) => refusals.get(update) ?? 0,
    fallSilent: () => {
      if (state.poll !== null) state.poll.isSilent = true;
    },
    get isPolled() {
      return state.poll !== null && !state.poll.isSilent;
    },
    deliverUpdate,
    addChat: (id) => void state.chats.add(id),
    block: (id) => void state.blocked.add(id),
    addFile: (id, content, path = `files/${id}`) => void state.files.set(id, { content: Buffer.from(content), path }),
    fail: (method, fault, times = 1) => {
      const waiting = faults.get(method) ?? [];
      faults.set(method, [...waiting, ...new Array<FakeFault>(times).fill(fault)]);
    },
    revoke: () => {
      state.isRevoked = true;
      state.poll?.wake();
    },
    setWebhook: (url) => {
      state.webhook = { url, secret: '' };
      state.poll?.wake();
    },
    callsOf: (method) => calls.filter((call) => call.method === method),
    goAway,
    comeBack: async () => {
      await listen();
      state.wakePusher();
    },
    close: async () => {
      closing.abort();
      state.wakePusher();
      await goAway();
    },
  };
}

function isCarriedOut({ kind }: FakeFault): boolean {
  return kind === 'lost' || kind === 'unanswered';
}

async function post(webhook: { url: string; secret: string }, update: Update, signal: AbortSignal): Promise<number> {
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(webhook.secret === '' ? {} : { 'x-telegram-bot-api-secret-token': webhook.secret }),
      },
      body: JSON.stringify(update),
      signal,
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Reads parameters from JSON or from a form, and the files of a form. */
async function readCall(request: HttpRequest, body: Buffer): Promise<Pick<FakeCall, 'parameters' | 'files'>> {
  const type = request.headers['content-type'] ?? '';
  const files: FakeCall['files'] = new Map();
  if (type.startsWith('application/json')) return { parameters: JSON.parse(body.toString()), files };
  const parameters: Record<string, unknown> = {};
  if (body.length === 0) return { parameters, files };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form) {
    if (typeof value === 'string') parameters[name] = parsed(value);
    else files.set(name, { name: value.name, content: Buffer.from(await value.arrayBuffer()) });
  }
  return { parameters, files };
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function meet(fault: FakeFault, response: ServerResponse): void {
  if (fault.kind === 'error') sendRefusal(response, new Refusal(fault.code, fault.description, fault.parameters));
  if (fault.kind === 'page') response.writeHead(fault.status, { 'content-type': 'text/html' }).end('<h1>Oh no</h1>');
  if (fault.kind === 'closed') response.socket?.destroy();
}

function sendFile(response: ServerResponse, files: FakeState['files'], path: string): void {
  const file = [...files.values()].find((one) => one.path === path);
  if (file === undefined) sendRefusal(response, new Refusal(404, 'Not Found'));
  else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.content);
}

function sendRefusal(response: ServerResponse, { code, message: description, parameters }: Refusal): void {
  sendJson(response, code, { ok: false, error_code: code, description, ...(parameters && { parameters }) });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
