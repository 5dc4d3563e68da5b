import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FakeChat, FakeFault, FakeMedia, FakePause, FakeRoute } from '@parley/sdk/testing';
import { FakeAccounts } from './fake-accounts.ts';
import { type FakeChats, Refusal } from './fake-chats.ts';
import { names } from './fake-events.ts';

export interface FakeApiOptions {
  chats: FakeChats;
  botId: string;
  userId: string;
  now: () => number;
}

interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
  url: string;
}

type Handler = (request: Request, parameters: string[]) => object | Promise<object>;

type Route = [method: string, path: RegExp, kind: FakeRoute | null, handler: Handler];

/** How long a token is valid, milliseconds. */
const tokenMs = 7_200_000;
const largestUpload = 30 * 1024 * 1024;

/** The HTTP API. A response is `{ code, msg, data }`, also for refusals. */
export class FakeApi {
  readonly appId = 'cli_a1b2c3d4e5f60708';
  /** With the same secret. */
  readonly otherAppId = 'cli_b1c2d3e4f5a60718';
  appSecret = 'the secret of the app';
  readonly tokens: string[] = [];
  readonly violations: string[] = [];
  /** Scopes that are granted. */
  scopes = ['im:message', 'im:message:send_as_bot', 'im:resource', 'cardkit:card:write'];
  isBotActive = true;
  /** Where the long connection is; null for the fake itself. */
  socketAddress: string | null = null;
  readonly accounts: FakeAccounts;
  readonly #options: FakeApiOptions;
  readonly #calls = new Map<FakeRoute, number>();
  readonly #faults: { route: FakeRoute; how: FakeFault; times: number }[] = [];
  readonly #limits: { route: FakeRoute; after: number; pause: FakePause; times: number }[] = [];
  readonly #userFiles = new Map<string, FakeMedia>();
  readonly #userMessages = new Map<string, { msg_type: string; content: string; chat: FakeChat }>();
  readonly #tickets = new Set<string>();
  readonly #validTokens = new Map<string, number>();
  /** The app of each token. */
  readonly #apps = new Map<string, unknown>();
  #isRevoked = false;
  /** Of an app of the store. */
  #appTicket = '';
  readonly #routes: readonly Route[];

  constructor(options: FakeApiOptions) {
    this.#options = options;
    this.accounts = new FakeAccounts(this.appId, () => this.appSecret);
    this.#routes = this.#createRoutes();
  }

  calls(route: FakeRoute): number {
    return this.#calls.get(route) ?? 0;
  }

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    this.#faults.push({ route, how, times });
  }

  limit({
    route,
    after,
    pause,
    times = 1,
  }: {
    route: 'send' | 'edit';
    after: number;
    pause: FakePause;
    times?: number;
  }): void {
    this.#limits.push({ route, after, pause, times });
  }

  revoke(): void {
    this.#isRevoked = true;
    this.#validTokens.clear();
  }

  expireToken(): void {
    this.#validTokens.clear();
  }

  signIn(step: Parameters<FakeAccounts['decide']>[0]): void {
    this.accounts.decide(step);
  }

  addUserFile(messageId: string, file: FakeMedia): string {
    const key = this.#options.chats.newId(file.kind === 'image' ? 'img' : 'file');
    this.#userFiles.set(`${messageId}/${key}`, file);
    return key;
  }

  addUserMessage(id: string, message: { msg_type: string; content: string }, chat: FakeChat): void {
    this.#userMessages.set(id, { ...message, chat });
  }

  /** Whether an address of the long connection is used for the first time. */
  takeTicket(ticket: string): boolean {
    return this.#tickets.delete(ticket);
  }

  newTicket(): string {
    this.#appTicket = crypto.randomUUID();
    return this.#appTicket;
  }

  async respond(incoming: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { pathname, searchParams } = new URL(incoming.url ?? '/', url);
    const request: Request = {
      method: incoming.method ?? '',
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks),
      url,
    };
    const found = this.#routes.find(([method, path]) => method === request.method && path.test(pathname));
    if (found === undefined) {
      this.violations.push(`unknown route: ${request.method} ${pathname}`);
      return answer(response, 404, { code: 404, msg: 'Not Found' });
    }
    const [, path, kind, handler] = found;
    for (const route of ['any', kind] as const) if (route !== null) this.#calls.set(route, this.calls(route) + 1);
    const fault = this.#faultOf(kind);
    if (fault !== null && this.#isBefore(fault, response)) return;
    try {
      if (kind === 'send' || kind === 'edit') this.#enforceLimit(kind, response);
      const result = await handler(request, [...(path.exec(pathname) ?? [])].slice(1));
      if (fault === 'silence') return;
      if (fault === 'cut') return void response.destroy();
      if (Buffer.isBuffer(result))
        return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(result);
      answer(response, 'error' in result ? 400 : 200, result);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(response, error.status, { code: error.code, msg: error.message, ...error.more });
    }
  }

  #faultOf(kind: FakeRoute | null): FakeFault | null {
    const fault = this.#faults.find(
      ({ route }) => route === 'any' || route === kind || (route === 'start' && kind === 'token'),
    );
    if (fault === undefined) return null;
    fault.times -= 1;
    if (fault.times === 0) this.#faults.splice(this.#faults.indexOf(fault), 1);
    return fault.how;
  }

  /** Whether a fault takes the place of the call. */
  #isBefore(fault: FakeFault, response: ServerResponse): boolean {
    switch (fault) {
      case 'refused':
        answer(response, 400, { code: 230001, msg: 'Your request contains an invalid request parameter.' });
        return true;
      case 'unknown_target':
        answer(response, 400, { code: 230002, msg: 'The bot can not be outside the group.' });
        return true;
      case 'missing_permission':
        answer(response, 400, {
          code: 99991672,
          msg: 'Access denied. One of the following scopes is required: [im:message:send_as_bot].',
          error: { permission_violations: [{ type: 'action_scope_required', subject: 'im:message:send_as_bot' }] },
        });
        return true;
      case 'server_error':
        answer(response, 500, { code: 5000, msg: 'internal error' });
        return true;
      case 'wrong_body':
        response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
        return true;
      default:
        return false;
    }
  }

  #enforceLimit(kind: 'send' | 'edit', response: ServerResponse): void {
    const limit = this.#limits.find(({ route }) => route === kind);
    if (limit === undefined) return;
    if (limit.after > 0) {
      limit.after -= 1;
      return;
    }
    limit.times -= 1;
    if (limit.times === 0) this.#limits.splice(this.#limits.indexOf(limit), 1);
    if (limit.pause !== 'unnamed') {
      const [name, value] =
        'seconds' in limit.pause
          ? ['x-ogw-ratelimit-reset', String(limit.pause.seconds)]
          : ['retry-after', limit.pause.date.toUTCString()];
      response.setHeader(name, value);
    }
    throw new Refusal(429, 99991400, 'request trigger frequency limit');
  }

  #createRoutes(): Route[] {
    const { chats } = this.#options;
    const data = (value: object) => ({ code: 0, msg: 'success', data: value });
    const done = (..._nothing: unknown[]) => data({});
    const withToken =
      (handler: Handler): Handler =>
      (request, parameters) => {
        this.#requireToken(request);
        return handler(request, parameters);
      };
    const json = ({ body, headers }: Request) => {
      if (!headers['content-type']?.startsWith('application/json')) this.violations.push('a body without its type');
      return JSON.parse(body.toString() || '{}') as Record<string, unknown>;
    };
    const im = '/open-apis/im/v1';
    const card = '/open-apis/cardkit/v1/cards';
    return [
      [
        'POST',
        /^\/open-apis\/auth\/v3\/tenant_access_token\/internal$/,
        'token',
        (request) => this.#token(json(request)),
      ],
      ['POST', /^\/open-apis\/auth\/v3\/app_ticket\/resend$/, null, () => data({})],
      ['POST', /^\/open-apis\/auth\/v3\/app_access_token$/, null, (request) => this.#appToken(json(request))],
      ['POST', /^\/open-apis\/auth\/v3\/tenant_access_token$/, 'token', (request) => this.#tenantToken(json(request))],
      ['POST', /^\/callback\/ws\/endpoint$/, null, (request) => this.#endpoint(json(request), request.url)],
      [
        'POST',
        /^\/oauth\/v1\/app\/registration$/,
        null,
        ({ body }) => this.accounts.ask(new URLSearchParams(body.toString())),
      ],
      ['GET', /^\/open-apis\/bot\/v3\/info$/, null, withToken((request) => this.#bot(request))],
      [
        'GET',
        /^\/open-apis\/application\/v6\/scopes$/,
        null,
        withToken(() => data({ scopes: this.scopes.map((scope_name) => ({ scope_name, grant_status: 1 })) })),
      ],
      [
        'GET',
        /^\/open-apis\/contact\/v3\/users\/([^/]+)$/,
        null,
        withToken((_, [id]) => data({ user: { open_id: id, name: 'Ada Lovelace' } })),
      ],
      ['GET', new RegExp(`^${im}/chats/([^/]+)$`), null, withToken(() => data({ name: 'Team' }))],
      [
        'GET',
        new RegExp(`^${im}/messages$`),
        null,
        withToken(({ query }) => this.#thread(query.get('container_id') ?? '')),
      ],
      [
        'POST',
        new RegExp(`^${im}/messages$`),
        'send',
        withToken((request) => data({ message_id: chats.send(this.#chat(request), json(request), null) })),
      ],
      [
        'POST',
        new RegExp(`^${im}/messages/([^/]+)/reply$`),
        'send',
        withToken((request, [id = '']) => data({ message_id: this.#reply(id, json(request)) })),
      ],
      [
        'GET',
        new RegExp(`^${im}/messages/([^/]+)/resources/([^/]+)$`),
        'media',
        withToken((_, [id = '', key = '']) => this.#resource(`${id}/${decodeURIComponent(key)}`)),
      ],
      [
        'GET',
        new RegExp(`^${im}/messages/([^/]+)$`),
        null,
        withToken((_, [id = '']) => data({ items: [this.#message(id)] })),
      ],
      ['DELETE', new RegExp(`^${im}/messages/([^/]+)$`), null, withToken((_, [id = '']) => done(chats.recall(id)))],
      [
        'POST',
        new RegExp(`^${im}/images$`),
        'upload',
        withToken(async (request) => data({ image_key: await this.#upload(request, 'image', 10 * 1024 * 1024) })),
      ],
      [
        'POST',
        new RegExp(`^${im}/files$`),
        'upload',
        withToken(async (request) => data({ file_key: await this.#upload(request, 'file', largestUpload) })),
      ],
      [
        'POST',
        new RegExp(`^${card}$`),
        null,
        withToken((request) => data({ card_id: chats.createCard(String(json(request).data)) })),
      ],
      [
        'PUT',
        new RegExp(`^${card}/([^/]+)/elements/answer/content$`),
        'edit',
        withToken((request, [id = '']) => done(chats.updateElement(id, json(request)))),
      ],
      [
        'PUT',
        new RegExp(`^${card}/([^/]+)$`),
        'edit',
        withToken((request, [id = '']) => done(chats.replaceCard(id, json(request)))),
      ],
      [
        'PATCH',
        new RegExp(`^${card}/([^/]+)/settings$`),
        'edit',
        withToken((request, [id = '']) => done(chats.changeSettings(id, json(request)))),
      ],
    ];
  }

  #token({ app_id, app_secret }: Record<string, unknown>): object {
    this.#requireCredentials({ app_id, app_secret });
    return { code: 0, msg: 'ok', tenant_access_token: this.#newToken('t', app_id), expire: tokenMs / 1000 };
  }

  #appToken({ app_ticket, ...credentials }: Record<string, unknown>): object {
    this.#requireCredentials(credentials);
    if (app_ticket !== this.#appTicket) throw new Refusal(400, 10012, 'app ticket is invalid');
    return { code: 0, msg: 'ok', app_access_token: this.#newToken('a'), expire: tokenMs / 1000 };
  }

  #tenantToken({ app_access_token, tenant_key }: Record<string, unknown>): object {
    if (!this.#validTokens.has(String(app_access_token)) || tenant_key !== 'tenant') {
      throw new Refusal(400, 10005, 'app access token is invalid');
    }
    return { code: 0, msg: 'ok', tenant_access_token: this.#newToken('t'), expire: tokenMs / 1000 };
  }

  #requireCredentials({ app_id, app_secret }: Record<string, unknown>): void {
    if (app_id !== this.appId && app_id !== this.otherAppId) throw new Refusal(400, 10003, 'invalid param');
    if (app_secret !== this.appSecret || this.#isRevoked) throw new Refusal(400, 10014, 'app secret invalid');
  }

  #newToken(prefix: string, app: unknown = this.appId): string {
    const token = `${prefix}-${crypto.randomUUID()}`;
    this.tokens.push(token);
    this.#apps.set(token, app);
    this.#validTokens.set(token, this.#options.now() + tokenMs);
    return token;
  }

  #requireToken({ headers }: Request): void {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (token === '') throw new Refusal(400, 99991661, 'Missing access token for authorization');
    if (!((this.#validTokens.get(token) ?? 0) > this.#options.now())) {
      throw new Refusal(
        400,
        99991663,
        'Invalid access token for authorization. Please make a test with another token.',
      );
    }
  }

  #endpoint({ AppID, AppSecret }: Record<string, unknown>, url: string): object {
    if ((AppID !== this.appId && AppID !== this.otherAppId) || AppSecret !== this.appSecret || this.#isRevoked) {
      return { code: 514, msg: 'authentication failed' };
    }
    const ticket = crypto.randomUUID();
    this.#tickets.add(ticket);
    const origin = this.socketAddress ?? url.replace('http', 'ws');
    const address = `${origin}/ws/v2?device_id=${ticket}&service_id=33&access_key=key`;
    const ClientConfig = { ReconnectCount: -1, ReconnectInterval: 120, ReconnectNonce: 30, PingInterval: 1 };
    return { code: 0, msg: '', data: { URL: address, ClientConfig } };
  }

  #bot({ headers }: Request): object {
    const isOther = this.#apps.get((headers.authorization ?? '').slice('Bearer '.length)) === this.otherAppId;
    const open_id = isOther ? 'ou_theotherbot' : this.#options.botId;
    if (!this.isBotActive) throw new Refusal(400, 11205, 'app do not have bot');
    return { code: 0, msg: 'ok', bot: { activate_status: 2, app_name: names.botName, open_id } };
  }

  #chat({ query, body }: Request): FakeChat {
    const { receive_id } = JSON.parse(body.toString()) as { receive_id?: string };
    const type = query.get('receive_id_type');
    if (type === 'open_id' && receive_id === this.#options.userId) {
      return { session_type: 'person', session_id: receive_id, thread_id: '' };
    }
    if (type === 'open_id') throw new Refusal(400, 230013, 'Bot has NO availability to this user.');
    if (receive_id === names.chat) return { session_type: 'group', session_id: receive_id, thread_id: '' };
    throw new Refusal(400, 230002, 'The bot can not be outside the group.');
  }

  #reply(id: string, content: Record<string, unknown>): string {
    const thread = content.reply_in_thread === true ? names.thread : '';
    const root: FakeChat = { session_type: 'group', session_id: names.chat, thread_id: names.thread };
    const own = this.#options.chats.messages.find((message) => message.id === id);
    const chat = own?.chat ?? this.#userMessages.get(id)?.chat ?? (id === names.threadRoot ? root : undefined);
    if (chat === undefined) throw new Refusal(400, 230011, 'The message is recalled.');
    const quotes = thread === '' ? id : null;
    return this.#options.chats.send(
      { ...chat, thread_id: chat.session_type === 'group' ? thread || chat.thread_id : '' },
      content,
      quotes,
    );
  }

  #thread(id: string): object {
    if (id !== names.thread) throw new Refusal(400, 230001, 'Your request contains an invalid request parameter.');
    return { code: 0, msg: 'success', data: { items: [{ message_id: names.threadRoot, thread_id: id }] } };
  }

  #message(id: string): object {
    const own = this.#options.chats.messages.find((message) => message.id === id);
    if (own !== undefined) {
      const sender = { id: this.appId, id_type: 'app_id', sender_type: 'app' };
      return { message_id: id, msg_type: 'text', sender, body: { content: JSON.stringify({ text: own.text }) } };
    }
    const message = this.#userMessages.get(id);
    if (message === undefined) throw new Refusal(400, 230011, 'The message is recalled.');
    const sender = { id: this.#options.userId, id_type: 'open_id', sender_type: 'user' };
    return { message_id: id, msg_type: message.msg_type, sender, body: { content: message.content } };
  }

  #resource(place: string): object {
    const file = this.#userFiles.get(place);
    if (file === undefined || file.fault === 'gone') throw new Refusal(400, 234003, 'File not in msg.');
    if (file.fault === 'forbidden')
      throw new Refusal(400, 99991672, 'Access denied. One of the following scopes is required: [im:resource].');
    return Buffer.from(file.content);
  }

  async #upload({ body, headers }: Request, field: 'image' | 'file', largest: number): Promise<string> {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const file = form.get(field);
    if (!(file instanceof Blob) || file.size === 0) throw new Refusal(400, 234001, 'Invalid request param.');
    if (file.size > largest) throw new Refusal(400, 234006, 'The file size exceed the max value.');
    const type = form.get(field === 'image' ? 'image_type' : 'file_type');
    if (field === 'image' ? type !== 'message' : !/^(opus|mp4|pdf|doc|xls|ppt|stream)$/.test(String(type))) {
      throw new Refusal(400, 234001, 'Invalid request param.');
    }
    const key = this.#options.chats.newId(field);
    const kind = field === 'image' ? 'image' : type === 'opus' ? 'voice' : 'file';
    const name = String(form.get('file_name') ?? (file as File).name);
    this.#options.chats.files.set(key, { kind, name, content: new Uint8Array(await file.arrayBuffer()) });
    return key;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
