import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FakeFault, type FakeMedia, type FakePause, type FakeRoute, NotOfThisPlatform } from '@parley/sdk/testing';
import type { FakeChats } from './fake-chats.ts';
import { OldRefusal, permissionDenied, Refusal, refuse } from './refusal.ts';

type Fields = Record<string, unknown>;

interface Request {
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

type Handler = (request: Request, parameter: string) => object | Promise<object>;

interface Route {
  method: string;
  path: RegExp;
  kind: FakeRoute | null;
  /** It is one of the old host. */
  isOld?: boolean;
  handle: Handler;
}

/** How long a token is valid, milliseconds. */
const tokenMs = 7_200_000;
const largestUpload = 20 * 1024 * 1024;

/** The HTTP API: that of the new host, and the parts of the old one that are still needed. */
export class FakeApi {
  readonly appId: string;
  /** With the same secret. */
  readonly otherAppId = 'dingother0123456789';
  readonly appSecret = 'the secret of the app';
  readonly templateId = '1a2b3c4d-1111-2222-3333-444455556666.schema';
  readonly violations: string[] = [];
  /** All that were handed out. */
  readonly tokens: string[] = [];
  /** Scopes that the app has. */
  readonly scopes = new Set(['qyapi_robot_sendmsg', 'Card.Instance.Write', 'Card.Streaming.Write']);
  /** Where connections are opened; null for the fake itself. */
  socketAddress: string | null = null;
  isRevoked = false;
  url = '';
  readonly #chats: FakeChats;
  readonly #calls = new Map<FakeRoute, number>();
  readonly #faults: { route: FakeRoute; how: FakeFault; times: number }[] = [];
  #limit: { route: 'send' | 'edit'; after: number; times: number } | null = null;
  readonly #userFiles = new Map<string, FakeMedia>();
  readonly #tickets = new Map<string, string>();
  readonly #valid = new Map<string, { app: string; until: number }>();
  readonly #routes: readonly Route[];

  constructor(appId: string, chats: FakeChats) {
    this.appId = appId;
    this.#chats = chats;
    this.#routes = this.#createRoutes();
  }

  calls(route: FakeRoute): number {
    return this.#calls.get(route) ?? 0;
  }

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    if (how === 'unreachable') throw new NotOfThisPlatform('single calls that cannot connect');
    this.#faults.push({ route, how, times });
  }

  limit({ pause, ...limit }: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void {
    this.#limit = { times: 1, ...limit };
  }

  expireTokens(): void {
    this.#valid.clear();
  }

  /** @returns its download code */
  addUserFile(file: FakeMedia): string {
    const code = `${this.#chats.newId('code')}+/==`;
    this.#userFiles.set(code, file);
    return code;
  }

  /** The app that an address of a connection was given to; null if it was used before. */
  takeTicket(ticket: string): string | null {
    const app = this.#tickets.get(ticket) ?? null;
    this.#tickets.delete(ticket);
    return app;
  }

  async respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { pathname, searchParams: query } = new URL(incoming.url ?? '/', this.url);
    const route = this.#routes.find(({ method, path }) => method === incoming.method && path.test(pathname));
    if (route === undefined) {
      this.violations.push(`unknown route: ${incoming.method} ${pathname}`);
      return answer(response, 404, { code: 'InvalidAction.NotFound', message: 'Specified api is not found' });
    }
    for (const one of ['any', route.kind] as const) if (one !== null) this.#calls.set(one, this.calls(one) + 1);
    const fault = this.#nextFault(route.kind);
    try {
      if (fault === 'wrong_body') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');
      if (fault !== null) refuse(fault, route.isOld === true);
      this.#enforceLimit(route);
      const [, parameter = ''] = route.path.exec(pathname) ?? [];
      const result = await route.handle({ query, headers: incoming.headers, body: Buffer.concat(chunks) }, parameter);
      if (fault === 'silence') return;
      if (fault === 'cut') return void response.destroy();
      if (typeof result === 'function') return result(response);
      answer(response, 200, result);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(response, error.status, error.body);
    }
  }

  #nextFault(kind: FakeRoute | null): FakeFault | null {
    const isMeant = (route: FakeRoute) => route === 'any' || route === kind || (route === 'start' && kind === 'token');
    const fault = this.#faults.find(({ route }) => isMeant(route));
    if (fault === undefined) return null;
    fault.times -= 1;
    if (fault.times === 0) this.#faults.splice(this.#faults.indexOf(fault), 1);
    return fault.how;
  }

  #enforceLimit({ kind, isOld = false }: Route): void {
    const limit = this.#limit;
    if (limit === null || limit.route !== kind) return;
    if (limit.after > 0) {
      limit.after -= 1;
      return;
    }
    limit.times -= 1;
    if (limit.times === 0) this.#limit = null;
    if (isOld) throw new OldRefusal(130101, 'send too fast, exceed 20 times per minute');
    throw new Refusal(403, 'Forbidden.AccessDenied.QpsLimitForAppkeyAndApi', 'the rate of calls is limited');
  }

  #createRoutes(): Route[] {
    const chats = this.#chats;
    const post = (path: RegExp, kind: FakeRoute | null, handle: Handler): Route => ({
      method: 'POST',
      path,
      kind,
      handle,
    });
    const put = (path: RegExp, handle: Handler): Route => ({ method: 'PUT', path, kind: 'edit', handle });
    const json = ({ headers, body }: Request): Fields => {
      if (!headers['content-type']?.startsWith('application/json')) this.violations.push('a body without its type');
      return JSON.parse(body.toString() || '{}');
    };
    const allowed =
      (scope: string, handle: (body: Fields, app: string) => object): Handler =>
      (request) => {
        const app = this.#appOf(String(request.headers['x-acs-dingtalk-access-token'] ?? ''));
        if (!this.scopes.has(scope)) throw permissionDenied(scope);
        return handle(json(request), app);
      };
    const robot = (handle: (body: Fields) => object) =>
      allowed('qyapi_robot_sendmsg', (body, app) => {
        if (body.robotCode !== app) throw new Refusal(400, 'invalidParameter.robotCode', 'robotCode is not valid');
        return handle(body);
      });
    return [
      post(/^\/v1\.0\/oauth2\/accessToken$/, 'token', (request) => this.#token(json(request))),
      post(/^\/v1\.0\/gateway\/connections\/open$/, null, (request) => this.#open(json(request))),
      post(
        /^\/v1\.0\/robot\/oToMessages\/batchSend$/,
        'send',
        robot((body) => chats.sendToUsers(body)),
      ),
      post(
        /^\/v1\.0\/robot\/groupMessages\/send$/,
        'send',
        robot((body) => chats.sendToGroup(body)),
      ),
      post(
        /^\/v1\.0\/robot\/messageFiles\/download$/,
        'media',
        robot((body) => this.#download(body)),
      ),
      post(
        /^\/v1\.0\/card\/instances\/createAndDeliver$/,
        'send',
        allowed('Card.Instance.Write', (body) => chats.createCard(body, this.templateId)),
      ),
      put(
        /^\/v1\.0\/card\/streaming$/,
        allowed('Card.Streaming.Write', (body) => chats.stream(body)),
      ),
      put(
        /^\/v1\.0\/card\/instances$/,
        allowed('Card.Instance.Write', (body) => chats.setCard(body)),
      ),
      {
        method: 'GET',
        path: /^\/files\/(.+)$/,
        kind: null,
        handle: (_, code) => this.#content(decodeURIComponent(code)),
      },
      {
        // As older clients ask for it.
        method: 'GET',
        path: /^\/gettoken$/,
        kind: 'token',
        handle: ({ query }) => {
          const { accessToken: access_token, expireIn: expires_in } = this.#token({
            appKey: query.get('appkey'),
            appSecret: query.get('appsecret'),
          });
          return { errcode: 0, errmsg: 'ok', access_token, expires_in };
        },
      },
      { ...post(/^\/media\/upload$/, 'upload', (request) => this.#upload(request)), isOld: true },
      {
        ...post(/^\/robot\/sendBySession$/, 'send', (request) => {
          if (this.isRevoked) throw new OldRefusal(400102, 'the robot is stopped');
          chats.answer(request.query.get('session') ?? '', json(request));
          return { errcode: 0, errmsg: 'ok' };
        }),
        isOld: true,
      },
    ];
  }

  #token({ appKey, appSecret }: Fields) {
    this.#requireCredentials(appKey, appSecret);
    const accessToken = crypto.randomUUID().replaceAll('-', '');
    this.tokens.push(accessToken);
    this.#valid.set(accessToken, { app: String(appKey), until: this.#chats.now() + tokenMs });
    return { accessToken, expireIn: tokenMs / 1000 };
  }

  #open({ clientId, clientSecret, subscriptions }: Fields): object {
    this.#requireCredentials(clientId, clientSecret);
    const isSubscribed = (one: Fields) => one.type === 'CALLBACK' && one.topic === '/v1.0/im/bot/messages/get';
    if (!Array.isArray(subscriptions) || !subscriptions.some(isSubscribed)) {
      this.violations.push('a connection without a subscription to messages');
    }
    const ticket = crypto.randomUUID();
    this.#tickets.set(ticket, String(clientId));
    return { endpoint: `${this.socketAddress ?? this.url.replace('http', 'ws')}/connect`, ticket };
  }

  #requireCredentials(id: unknown, secret: unknown): void {
    const isKnown = (id === this.appId || id === this.otherAppId) && secret === this.appSecret;
    if (!isKnown || this.isRevoked)
      throw new Refusal(400, 'invalidClientIdOrSecret', 'clientId or clientSecret is wrong');
  }

  /** The app of a token. */
  #appOf(token: string): string {
    const { app, until } = this.#valid.get(token) ?? { app: '', until: 0 };
    if (until <= this.#chats.now()) throw new Refusal(400, 'InvalidAuthentication', 'the access_token is not valid');
    return app;
  }

  #download({ downloadCode }: Fields): object {
    const file = this.#userFiles.get(String(downloadCode));
    if (file === undefined || file.fault === 'gone') {
      throw new Refusal(400, 'invalidParameter.downloadCode', 'downloadCode is not valid');
    }
    const host = file.fault === 'private_address' ? 'http://10.255.255.1' : this.url;
    return { downloadUrl: `${host}/files/${encodeURIComponent(String(downloadCode))}` };
  }

  #content(code: string): (response: ServerResponse) => void {
    const file = this.#userFiles.get(code);
    return (response) => {
      if (file?.fault === 'forbidden')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
      else {
        const type = file?.fault === 'wrong_type' ? 'image/png' : 'application/octet-stream';
        response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file?.content);
      }
    };
  }

  async #upload({ query, headers, body }: Request): Promise<object> {
    try {
      this.#appOf(query.get('access_token') ?? '');
    } catch {
      throw new OldRefusal(40014, 'the access_token is not valid');
    }
    const type = query.get('type') ?? '';
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const media = form.get('media');
    if (!(media instanceof File) || !['image', 'voice', 'file'].includes(type)) throw new OldRefusal(40035, 'no media');
    if (media.size > (type === 'voice' ? 2 * 1024 * 1024 : largestUpload)) throw new OldRefusal(40009, 'too large');
    const id = `@${this.#chats.newId('lAD')}`;
    const kind = type as 'image' | 'voice' | 'file';
    this.#chats.uploads.set(id, { kind, name: media.name, content: new Uint8Array(await media.arrayBuffer()) });
    return { errcode: 0, errmsg: 'ok', media_id: id, type, created_at: Math.floor(this.#chats.now() / 1000) };
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
