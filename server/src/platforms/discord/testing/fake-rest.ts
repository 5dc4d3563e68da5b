import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FakeRoute } from '@parley/sdk/testing';
import { type FakeFaults, type Reply, rateLimited, refusalOf, spoil } from './fake-faults.ts';
import { FakeMessages, invalidForm, refused, type Upload } from './fake-messages.ts';
import type { World, WorldBot, WorldChannel, WorldFile } from './world.ts';

export interface FakeRestOptions {
  world: World;
  faults: FakeFaults;
  botOf(token: string): WorldBot | undefined;
  /** Where the gateway is. */
  gatewayUrl(): string;
  /** Called with each message of a bot that was created or changed. */
  changed(kind: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' | 'MESSAGE_DELETE', message: Record<string, unknown>): void;
}

/** A request to the API. */
interface Call {
  bot: WorldBot;
  upload: Upload;
  /** Ids in the path, in order. */
  ids: readonly string[];
  path: string;
}

type Handler = (call: Call) => Reply;

const notFound: Reply = { status: 404, body: { code: 0, message: '404: Not Found' } };

/** The REST API and the file server. */
export class FakeRest {
  readonly violations: string[] = [];
  /** Requests of each bucket in a period, and how long that is. */
  bucket = { most: 50, periodMs: 5000 };
  /** Every call with its path, oldest first. */
  readonly log: { method: string; path: string; body: Record<string, unknown> }[] = [];
  /** Whether the bots are in a server. */
  isInServers = true;
  readonly #options: FakeRestOptions;
  readonly #messages: FakeMessages;
  readonly #used = new Map<string, { count: number; until: number }>();

  constructor(options: FakeRestOptions) {
    this.#options = options;
    this.#messages = new FakeMessages(options.world);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const upload = await uploadOf(request);
    if (pathname.startsWith('/attachments/')) {
      this.#serveFile(pathname, searchParams.get('ex'), response);
      return;
    }
    const method = request.method ?? 'GET';
    const path = pathname.replace(/^\/api\/v10/, '');
    this.log.push({ method, path, body: upload.payload });
    const { faults } = this.#options;
    const kinds = kindsOf(method, path, upload);
    const fault = faults.take(kinds);
    const early = fault === null ? faults.limited(kinds) : refusalOf(fault);
    const reply = early ?? this.#reply(request, { method, path, upload });
    if (fault === 'silence' || fault === 'cut' || fault === 'wrong_body') spoil(response, fault);
    else write(response, reply);
  }

  #reply(
    { headers }: IncomingMessage,
    { method, path, upload }: { method: string; path: string; upload: Upload },
  ): Reply {
    if (!/^DiscordBot \(.+, .+\)/.test(headers['user-agent'] ?? ''))
      this.violations.push('a call without a user agent');
    const bot = this.#options.botOf(/^Bot (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    if (bot === undefined || bot.isRevoked) return refused(401, 0, '401: Unauthorized');
    const template = path.replace(/\/\d+/g, '/:id');
    const handler = this.#routes[`${method} ${template}`];
    if (handler === undefined) {
      this.violations.push(`an unknown route ${method} ${template}`);
      return notFound;
    }
    const ids = [...path.matchAll(/\/(\d+)/g)].map(([, id = '']) => id);
    const limit = this.#spend(`${method} ${template} ${ids[0] ?? ''}`);
    if (limit.isOver) return { ...rateLimited(limit.resetAfter), headers: limit.headers };
    const reply = handler({ bot, upload, ids, path });
    return { ...reply, headers: { ...limit.headers, ...reply.headers } };
  }

  readonly #routes: Record<string, Handler> = {
    'GET /gateway/bot': ({ bot }) => ({
      status: 200,
      body: {
        url: this.#options.gatewayUrl(),
        shards: 1,
        session_start_limit: { total: 1000, remaining: bot.sessionsLeft, reset_after: 60_000, max_concurrency: 1 },
      },
    }),
    'GET /users/@me': ({ bot }) => ({ status: 200, body: bot.user }),
    'GET /users/@me/guilds': () => ({ status: 200, body: this.isInServers ? [this.#options.world.guild] : [] }),
    'GET /applications/@me': ({ bot }) => ({
      status: 200,
      body: { id: bot.applicationId, name: 'Parrot', flags: bot.flags, bot: bot.user },
    }),
    'POST /users/@me/channels': ({ bot, upload }) => this.#openDirect(bot, upload),
    'GET /channels/:id': ({ ids }) => this.#inChannel(ids, (channel) => ({ status: 200, body: channel })),
    'GET /guilds/:id/roles': () => ({ status: 200, body: this.#options.world.roles }),
    'GET /guilds/:id/members/:id': ({ bot }) => ({
      status: 200,
      body: { user: bot.user, roles: [this.#options.world.roles[0].id] },
    }),
    'POST /channels/:id/typing': ({ ids }) => this.#inChannel(ids, () => ({ status: 204 })),
    'GET /channels/:id/messages/:id': ({ ids }) =>
      this.#inChannel(ids, () => {
        const message = this.#options.world.message(ids[1] ?? '');
        if (message === undefined) return refused(404, 10008, 'Unknown Message');
        return { status: 200, body: this.#options.world.messageObject(message) };
      }),
    'POST /channels/:id/messages': ({ bot, upload, ids }) =>
      this.#inChannel(ids, (channel) => this.#announce('MESSAGE_CREATE', this.#messages.create(bot, channel, upload))),
    'PATCH /channels/:id/messages/:id': ({ bot, upload, ids }) =>
      this.#inChannel(ids, () => {
        const message = this.#options.world.message(ids[1] ?? '');
        if (message === undefined) return refused(404, 10008, 'Unknown Message');
        return this.#announce('MESSAGE_UPDATE', this.#messages.edit(bot, message, upload));
      }),
    'DELETE /channels/:id/messages/:id': ({ ids }) =>
      this.#inChannel(ids, () => {
        const message = this.#options.world.message(ids[1] ?? '');
        if (message === undefined) return refused(404, 10008, 'Unknown Message');
        message.isDeleted = true;
        this.#options.changed('MESSAGE_DELETE', { id: message.id, channel_id: message.channel });
        return { status: 204 };
      }),
  };

  #openDirect(bot: WorldBot, { payload }: Upload): Reply {
    const { world } = this.#options;
    const user = world.userById(String(payload.recipient_id));
    if (!/^\d+$/.test(String(payload.recipient_id)))
      return invalidForm('recipient_id', 'NUMBER_TYPE_COERCE', 'Not an id');
    if (user === undefined) return refused(404, 10013, 'Unknown User');
    return { status: 200, body: world.directChannel(bot, user) };
  }

  #inChannel([id = '']: readonly string[], work: (channel: WorldChannel) => Reply): Reply {
    const channel = this.#options.world.channels.get(id);
    return channel === undefined ? refused(404, 10003, 'Unknown Channel') : work(channel);
  }

  #announce(kind: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', reply: Reply): Reply {
    if (reply.status === 200) this.#options.changed(kind, reply.body as Record<string, unknown>);
    return reply;
  }

  #spend(key: string): { isOver: boolean; resetAfter: number; headers: Record<string, string> } {
    const { most, periodMs } = this.bucket;
    const present = performance.now();
    const known = this.#used.get(key);
    const used = known !== undefined && known.until > present ? known : { count: 0, until: present + periodMs };
    used.count += 1;
    this.#used.set(key, used);
    const resetAfter = (used.until - present) / 1000;
    const headers = {
      'x-ratelimit-bucket': Buffer.from(key.replace(/ \d*$/, '')).toString('hex').slice(0, 32),
      'x-ratelimit-limit': String(most),
      'x-ratelimit-remaining': String(Math.max(0, most - used.count)),
      'x-ratelimit-reset-after': resetAfter.toFixed(3),
      ...(used.count > most ? { 'x-ratelimit-scope': 'user', 'retry-after': String(Math.ceil(resetAfter)) } : {}),
    };
    return { isOver: used.count > most, resetAfter, headers };
  }

  #serveFile(pathname: string, expiry: string | null, response: ServerResponse): void {
    const fault = this.#options.faults.take(['media', 'any']);
    if (fault === 'silence') return;
    const reply = fault === null ? this.#lostFile(pathname, expiry) : (refusalOf(fault) ?? { status: 502 });
    const file = this.#fileAt(pathname);
    if (reply === null && file !== undefined) response.writeHead(200, { 'content-type': file.type }).end(file.content);
    else write(response, reply ?? { status: 404 });
  }

  #lostFile(pathname: string, expiry: string | null): Reply | null {
    const file = this.#fileAt(pathname);
    if (file?.fault === 'forbidden') return { status: 403, body: '<html>Access denied</html>' };
    const isOver = Number.parseInt(expiry ?? '0', 16) * 1000 < this.#options.world.now();
    const isGone = file === undefined || file.fault === 'gone' || isOver;
    return isGone ? { status: 404, body: 'This content is no longer available.' } : null;
  }

  #fileAt(pathname: string): WorldFile | undefined {
    const [, , , id] = pathname.split('/');
    return this.#options.world.messages.flatMap(({ files }) => files).find((file) => file.id === id);
  }
}

function write(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const isPage = typeof body === 'string';
  const type = { 'content-type': isPage ? 'text/html' : 'application/json' };
  response.writeHead(status, { ...(body === undefined ? {} : type), ...headers });
  response.end(isPage || body === undefined ? body : JSON.stringify(body));
}

function kindsOf(method: string, path: string, { files }: Upload): FakeRoute[] {
  const isSend = method === 'POST' && path.endsWith('/messages');
  return [
    'any',
    ...(path === '/gateway/bot' ? (['start'] as const) : []),
    ...(isSend ? (['send'] as const) : []),
    ...(method === 'PATCH' ? (['edit'] as const) : []),
    ...(files.size > 0 ? (['upload'] as const) : []),
  ];
}

async function uploadOf(request: IncomingMessage): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  const files: Upload['files'] = new Map();
  if (!type.startsWith('multipart/')) return { payload: body.length === 0 ? {} : JSON.parse(body.toString()), files };
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  let payload: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const [, number] = /^files\[(\d+)\]$/.exec(name) ?? [];
    if (typeof value !== 'string' && number !== undefined) {
      files.set(number, { name: value.name, type: value.type, content: new Uint8Array(await value.arrayBuffer()) });
    } else if (name === 'payload_json') payload = JSON.parse(typeof value === 'string' ? value : await value.text());
  }
  return { payload, files };
}
