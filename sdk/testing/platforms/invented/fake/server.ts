import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { FakeFault, FakePause, FakeRoute } from '../../fake-platform.ts';
import { NotOfThisPlatform } from '../../fake-platform.ts';
import type { FakeChats } from './chats.ts';
import type { FakeDelivery } from './delivery.ts';
import type { FakeLogins } from './logins.ts';
import { Refusal } from './refusal.ts';

interface Limit {
  route: 'send' | 'edit';
  after: number;
  pause: FakePause;
  times: number;
}

export interface Account {
  id: string;
  secret: string;
}

/** The HTTP and websocket server of the platform. */
export class FakeServer {
  readonly violations: string[] = [];
  readonly tokens = new Map<string, { account: string; until: number }>();
  /** Every access token. */
  readonly issued: string[] = [];
  /** Given in place of the address of the websocket. */
  handedOut: string | null = null;
  readonly sessions = new Set<string>();
  isRevoked = false;
  attempts = 0;
  limit: Limit | null = null;
  readonly #accounts: Account[];
  readonly #chats: FakeChats;
  readonly #delivery: FakeDelivery;
  readonly #logins: FakeLogins;
  readonly #now: () => number;
  readonly #begun: (streamId: string) => void;
  readonly #faults = new Map<FakeRoute, FakeFault[]>();
  readonly #calls = new Map<FakeRoute, number>();
  readonly #sockets = new WebSocketServer({ noServer: true });
  #server: Server | null = null;
  #port = 0;

  constructor(options: {
    accounts: Account[];
    chats: FakeChats;
    delivery: FakeDelivery;
    logins: FakeLogins;
    now: () => number;
    begun: (streamId: string) => void;
  }) {
    this.#accounts = options.accounts;
    this.#chats = options.chats;
    this.#delivery = options.delivery;
    this.#logins = options.logins;
    this.#now = options.now;
    this.#begun = options.begun;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    this.#server = createServer((request, response) => void this.#respond(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#accept(opened));
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    // Always so for a server that listens on a port.
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async goAway(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const { socket } of this.#delivery.sockets) socket.terminate();
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    if (how === 'unreachable') throw new NotOfThisPlatform('one call that cannot be made');
    this.#faults.set(route, [...(this.#faults.get(route) ?? []), ...new Array<FakeFault>(times).fill(how)]);
  }

  calls(route: FakeRoute): number {
    return this.#calls.get(route) ?? 0;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const { pathname, searchParams } = new URL(request.url ?? '/', this.address);
    const routes = routesOf(`${request.method} ${pathname}`);
    for (const route of routes) this.#calls.set(route, this.calls(route) + 1);
    const fault = routes.flatMap((route) => this.#faults.get(route)?.shift() ?? []).at(0);
    try {
      if (fault !== undefined) refuseFor(fault);
      if (routes.includes('media')) return this.#sendFile(pathname, response);
      const result = this.#answer(`${request.method} ${pathname}`, request, { body, searchParams });
      if (fault === 'cut') response.destroy();
      else if (fault !== 'silence') sendJson(response, 200, result);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, message, headers } = error;
      if (code === 'page') response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      else sendJson(response, status, { code, message }, headers);
    }
  }

  #answer(call: string, request: IncomingMessage, given: { body: Buffer; searchParams: URLSearchParams }): object {
    const { searchParams } = given;
    if (call === 'POST /files') {
      this.#accountOf(request);
      const kind = searchParams.get('kind') as 'image';
      return { id: this.#keep({ kind, name: searchParams.get('name') ?? '', content: given.body }) };
    }
    const body = (given.body.length === 0 ? {} : JSON.parse(given.body.toString())) as Record<string, unknown>;
    if (call === 'POST /token') return this.#giveToken(body);
    if (call === 'POST /login/begin') return this.#logins.begin();
    if (call === 'POST /login/poll') return this.#logins.poll(body.device);
    const id = this.#accountOf(request);
    if (call === 'GET /me') return { id, name: 'Parrot' };
    if (call === 'GET /socket') return { url: this.handedOut ?? `${this.address.replace('http', 'ws')}/events` };
    if (call === 'GET /names') return { user: 'Ada', chat: 'Aviary' };
    if (call === 'POST /typing') return { chat: this.#chats.chatOf(body.chat).session_id };
    if (call === 'POST /messages') return this.#limited('send', () => this.#chats.post(body));
    if (call === 'POST /streams') return this.#limited('send', () => this.#beginStream(body));
    const [, edited] = /^PATCH \/messages\/([\w-]+)$/.exec(call) ?? [];
    if (edited !== undefined) {
      return this.#limited('edit', () => {
        this.#chats.edit(edited, body);
        return {};
      });
    }
    this.violations.push(`there is no ${call}`);
    throw new Refusal(404, 'unknown_route', 'There is no such call');
  }

  #beginStream(body: Record<string, unknown>): object {
    this.#begun(this.#chats.beginStream(body).id);
    return {};
  }

  #keep(file: { kind: 'image'; name: string; content: Uint8Array }): string {
    const id = `file-${this.#chats.files.size + 1}`;
    this.#chats.files.set(id, file);
    return id;
  }

  #giveToken({ account, secret }: Record<string, unknown>): object {
    const known = this.#accounts.find((one) => one.id === account && one.secret === secret);
    if (known === undefined || this.isRevoked) throw new Refusal(403, 'bad_credentials', 'Wrong account or secret');
    const token = `token-${randomUUID()}`;
    this.issued.push(token);
    this.tokens.set(token, { account: known.id, until: this.#now() + 7_200_000 });
    return { token, expires_in: 7200 };
  }

  #accountOf({ headers, url }: IncomingMessage): string {
    const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) {
      this.violations.push(`a call of ${url} without a token`);
      throw new Refusal(401, 'no_token', 'A token is required');
    }
    const known = this.tokens.get(token);
    if (known === undefined || known.until < this.#now())
      throw new Refusal(401, 'token_expired', 'The token is expired');
    return known.account;
  }

  #limited<Result>(route: 'send' | 'edit', call: () => Result): Result {
    const { limit } = this;
    if (limit === null || limit.route !== route || limit.times === 0) return call();
    if (limit.after > 0) {
      limit.after -= 1;
      return call();
    }
    limit.times -= 1;
    const { pause } = limit;
    if (pause === 'unnamed') throw new Refusal(429, 'rate_limited', 'Too fast');
    const after = 'seconds' in pause ? String(pause.seconds) : pause.date.toUTCString();
    throw new Refusal(429, 'rate_limited', 'Too fast', { 'retry-after': after });
  }

  #sendFile(pathname: string, response: ServerResponse): void {
    const id = pathname.slice('/files/'.length);
    const file = this.#chats.files.get(id);
    if (id.startsWith('forbidden-')) response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Forbidden</h1>');
    else if (file === undefined) sendJson(response, 404, { code: 'unknown_file' });
    else response.writeHead(200, { 'x-invented-file': id }).end(file.content);
  }

  #accept(socket: import('ws').WebSocket): void {
    this.attempts += 1;
    const entry = { socket, isMuted: false, isReady: false };
    this.#delivery.sockets.add(entry);
    socket.on('close', () => this.#delivery.sockets.delete(entry));
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      if (!entry.isMuted) this.#frame(entry, JSON.parse(String(data)) as Record<string, unknown>);
    });
  }

  #frame(entry: Parameters<FakeDelivery['sockets']['add']>[0], frame: Record<string, unknown>): void {
    const { socket } = entry;
    const { op, token, session, id } = frame;
    const send = (answer: object) => socket.send(JSON.stringify(answer));
    if (op === 'ping') send({ op: 'pong' });
    else if (op === 'ack' || op === 'nack') {
      this.#delivery.settle(String(id), op === 'ack' ? 'acknowledged' : 'refused', frame);
    } else if (op !== 'identify' && op !== 'resume') {
      this.violations.push(`a frame with the operation ${String(op)}`);
      socket.close(4003);
    } else if (!this.tokens.has(String(token))) socket.close(this.isRevoked ? 4001 : 4004);
    else if (op === 'resume' && !this.sessions.has(String(session))) send({ op: 'invalid' });
    else this.#open(entry, op, session);
  }

  #open(entry: Parameters<FakeDelivery['sockets']['add']>[0], op: string, session: unknown): void {
    const opened = op === 'resume' ? String(session) : `session-${randomUUID()}`;
    this.sessions.add(opened);
    entry.isReady = true;
    entry.socket.send(JSON.stringify({ op: 'ready', session: opened }));
    this.#delivery.flush();
  }
}

function routesOf(call: string): FakeRoute[] {
  const routes: FakeRoute[] = ['any'];
  if (call === 'POST /token') routes.push('start', 'token');
  if (call === 'POST /messages' || call === 'POST /streams') routes.push('send');
  if (call.startsWith('PATCH ')) routes.push('edit');
  if (call === 'POST /files') routes.push('upload');
  if (call.startsWith('GET /files/')) routes.push('media');
  return routes;
}

/** @throws Refusal for faults by which a call is not carried out */
function refuseFor(fault: FakeFault): void {
  if (fault === 'refused') throw new Refusal(400, 'refused', 'Not allowed');
  if (fault === 'unknown_target') throw new Refusal(404, 'unknown_chat', 'The bot knows no such chat');
  if (fault === 'missing_permission')
    throw new Refusal(403, 'missing_permission', 'Needs the permission messages.write');
  if (fault === 'server_error') throw new Refusal(500, 'internal', 'The platform failed');
  if (fault === 'wrong_body') throw new Refusal(502, 'page', 'A page');
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
