import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeFault, FakePause, FakeRoute } from '@parley/sdk/testing';
import { NotOfThisPlatform } from '@parley/sdk/testing';
import { type WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../../../../test/shared/free-port.ts';
import { type Params, SlackError } from './fake-messages.ts';
import { FakeTiers } from './fake-tiers.ts';
import type { FakeWorkspace } from './fake-workspace.ts';

const routes: Partial<Record<FakeRoute, RegExp>> = {
  any: /./,
  start: /^auth\.test$/,
  send: /^(chat\.(postMessage|startStream)|files\.completeUploadExternal)$/,
  edit: /^chat\.(update|appendStream|stopStream)$/,
  upload: /^files\.|^upload$/,
  media: /^media$/,
};

export const isOnRoute = (method: string, route: FakeRoute) => routes[route]?.test(method) === true;

const errors: Partial<Record<FakeFault, { status: number; body: object }>> = {
  refused: { status: 200, body: { ok: false, error: 'invalid_arguments' } },
  unknown_target: { status: 200, body: { ok: false, error: 'channel_not_found' } },
  missing_permission: { status: 200, body: { ok: false, error: 'missing_scope', needed: 'chat:write', provided: '' } },
  server_error: { status: 500, body: { ok: false, error: 'internal_error' } },
};

/** The HTTP and websocket server of a fake Slack. */
export class FakeServer {
  botToken = 'xoxb-the-bot-token';
  appToken = 'xapp-the-app-token';
  attempts = 0;
  readonly open = new Set<WebSocket>();
  onFrame: (text: string) => void = () => undefined;
  onOpen: (socket: WebSocket) => void = () => undefined;
  readonly #silent = new WeakSet<WebSocket>();
  readonly #workspace: FakeWorkspace;
  readonly #sockets = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #tiers = new FakeTiers();
  #server: Server | null = null;
  #port = 0;
  #tickets = new Set<string>();
  #faults: { route: FakeRoute; how: FakeFault; times: number }[] = [];
  #limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times: number } | null = null;

  constructor(workspace: FakeWorkspace) {
    this.#workspace = workspace;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#respond(request, response));
    server.on('upgrade', (request, socket, head) => {
      this.attempts += 1;
      const ticket = /[?&]ticket=(\w+)/.exec(request.url ?? '')?.[1] ?? '';
      if (!this.#tickets.delete(ticket)) return socket.destroy();
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#take(opened));
    });
    this.#server = server;
    const port = this.#port || (await freePort());
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#workspace.url = `http://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.terminate();
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    if (server?.listening) await new Promise((resolve) => server.close(resolve));
  }

  get isOpen(): boolean {
    return this.#server !== null;
  }

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    if (routes[route] === undefined || how === 'unreachable') throw new NotOfThisPlatform(`${how} of ${route}`);
    this.#faults.push({ route, how, times });
  }

  limit(limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void {
    this.#limit = { times: 1, ...limit };
  }

  /** A connection that hears and is heard; null if there is none. */
  get audible(): WebSocket | null {
    return [...this.open].find((socket) => !this.#silent.has(socket)) ?? null;
  }

  silence(): void {
    for (const socket of this.open) this.#silent.add(socket);
  }

  #take(socket: WebSocket): void {
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.open.delete(socket));
    socket.on('ping', (data) => this.#silent.has(socket) || socket.pong(data));
    socket.on('message', (data) => this.#silent.has(socket) || this.onFrame(String(data)));
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
    this.onOpen(socket);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const [, method = ''] = /^\/(?:api\/)?([^?/]+)/.exec(request.url ?? '') ?? [];
    const fault = this.#next(method);
    const limited = this.#limited(method);
    if (limited !== null) return void response.writeHead(429, limited).end('{"ok":false,"error":"ratelimited"}');
    const error = fault === null ? undefined : errors[fault];
    if (error !== undefined) {
      this.#workspace.calls.push(method);
      return this.#json(response, error.status, error.body);
    }
    const respond = await this.#carriedOut(method, request, body);
    if (fault === 'silence') return;
    if (fault === 'cut') return void response.destroy();
    if (fault === 'wrong_body') return void response.writeHead(502).end('<html>Bad gateway</html>');
    respond(response);
  }

  async #carriedOut(method: string, { url = '', headers }: IncomingMessage, body: Buffer) {
    if (method === 'upload') {
      const content = await uploadedIn(body, headers['content-type']);
      const isTaken = this.#workspace.upload(url.split('/').at(-1) ?? '', content);
      return (response: ServerResponse) => void response.writeHead(isTaken ? 200 : 400).end('OK');
    }
    const isAuthorized = headers.authorization === `Bearer ${this.botToken}`;
    if (method === 'media') {
      const media = this.#workspace.media.get(url.split('/').at(-1) ?? '');
      return (response: ServerResponse) => {
        if (media === undefined || media.fault === 'gone') response.writeHead(404).end();
        else if (!isAuthorized || media.fault === 'forbidden') {
          response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Sign in</html>');
        } else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(media.content);
      };
    }
    const answer = this.#answer(method, headers, body);
    return (response: ServerResponse) => this.#json(response, 200, answer);
  }

  #answer(method: string, { authorization, ...headers }: IncomingHttpHeaders, body: Buffer): object {
    const isApp = method === 'apps.connections.open';
    if (authorization !== `Bearer ${isApp ? this.appToken : this.botToken}`)
      return { ok: false, error: 'invalid_auth' };
    if (isApp) {
      this.#workspace.calls.push(method);
      const ticket = `ticket${Math.random().toString(36).slice(2)}`;
      this.#tickets.add(ticket);
      return { ok: true, url: `${this.#workspace.url.replace('http', 'ws')}/link/?ticket=${ticket}` };
    }
    try {
      return { ok: true, ...this.#workspace.run(method, paramsIn(method, body, headers['content-type'])) };
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      return { ok: false, error: error.message, ...error.more };
    }
  }

  #json(response: ServerResponse, status: number, body: object): void {
    const scopes = [...this.#workspace.scopes].join(',');
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-oauth-scopes': scopes })
      .end(JSON.stringify(body));
  }

  #next(method: string): FakeFault | null {
    const planned = this.#faults.find(({ route }) => isOnRoute(method, route));
    if (planned === undefined) return null;
    planned.times -= 1;
    if (planned.times <= 0) this.#faults = this.#faults.filter((one) => one !== planned);
    return planned.how;
  }

  #limited(method: string): Record<string, string> | null {
    const seconds = this.#tiers.take(method, this.#workspace.now());
    if (seconds !== null) return { 'retry-after': String(seconds) };
    const limit = this.#limit;
    if (limit === null || !isOnRoute(method, limit.route)) return null;
    if (limit.after > 0) {
      limit.after -= 1;
      return null;
    }
    limit.times -= 1;
    if (limit.times <= 0) this.#limit = null;
    if (limit.pause === 'unnamed') return {};
    if ('date' in limit.pause) return { 'retry-after': limit.pause.date.toUTCString() };
    return { 'retry-after': String(limit.pause.seconds) };
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Arguments come as a form, whose fields hold JSON where they are no texts; methods that write take them as JSON, too. */
function paramsIn(method: string, body: Buffer, type = ''): Params {
  if (type.startsWith('application/json')) {
    if (/^(chat|assistant)\.|^conversations\.open$/.test(method)) return JSON.parse(body.toString()) as Params;
    throw new SlackError('invalid_arguments');
  }
  const form = [...new URLSearchParams(body.toString())];
  return Object.fromEntries(form.map(([name, value]) => [name, structured.has(name) ? JSON.parse(value) : value]));
}

const structured = new Set(['blocks', 'chunks', 'files', 'include_all_metadata', 'length', 'limit', 'metadata']);

/** The content of an upload: the body, or the file of a form. */
async function uploadedIn(body: Buffer, type = ''): Promise<Uint8Array> {
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const [file] = [...form.values()];
  return new Uint8Array(await new Blob(file === undefined ? [] : [file]).arrayBuffer());
}
