import { createCipheriv, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeChat, FakeMedia, FakeRoute } from '@parley/sdk/testing';
import { type WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../../../../test/shared/free-port.ts';
import { type FakeConversations, fieldsOf, WecomError } from './fake-conversations.ts';
import type { FaultPlan, Planned } from './fault-plan.ts';

type Fields = Record<string, unknown>;

/** A bot as the platform knows it. */
export interface Account {
  BotId: string;
  Secret: string;
}

/** A connection of a bot. */
interface Link {
  socket: WebSocket;
  /** Null before it has subscribed. */
  account: Account | null;
  isMuted: boolean;
  /** Its credentials are not valid any more. */
  isDismissed: boolean;
}

const hour = 3_600_000;

/** The websocket of bots, the addresses of files and those for replies. */
export class FakeServer {
  attempts = 0;
  readonly links = new Set<Link>();
  /** Called when a bot has subscribed. */
  onReady: () => void = () => undefined;
  readonly #conversations: FakeConversations;
  readonly #plan: FaultPlan;
  readonly #accounts: readonly Account[];
  readonly #now: () => number;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #files = new Map<string, { media: FakeMedia; content: Buffer; until: number }>();
  readonly #replies = new Map<string, { chat: FakeChat; until: number }>();
  #server: Server | null = null;
  #port = 0;

  constructor(
    conversations: FakeConversations,
    { plan, accounts, now }: { plan: FaultPlan; accounts: readonly Account[]; now: () => number },
  ) {
    this.#conversations = conversations;
    this.#plan = plan;
    this.#accounts = accounts;
    this.#now = now;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#respond(request, response));
    server.on('upgrade', (request, socket, head) => {
      this.attempts += 1;
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#accept(opened));
    });
    this.#server = server;
    const port = this.#port || (await freePort());
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const { socket } of this.links) socket.terminate();
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    if (server?.listening) await new Promise((resolve) => server.close(resolve));
  }

  get isAway(): boolean {
    return this.#server === null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The connection over which a bot receives; null if there is none. */
  linkOf({ BotId }: Account): Link | null {
    return [...this.links].find(({ account, isMuted }) => account?.BotId === BotId && !isMuted) ?? null;
  }

  /** Another connection of the same bot ends this one. */
  end({ socket }: Link, msgid: string): void {
    const body = { msgid, aibotid: '', msgtype: 'event', event: { eventtype: 'disconnected_event' } };
    socket.send(JSON.stringify({ cmd: 'aibot_event_callback', headers: { req_id: msgid }, body }));
    socket.close(1000);
  }

  /** The credentials of all connections are not valid any more: frames are refused, and the connections end. */
  dismiss(): void {
    for (const link of this.links) {
      link.isDismissed = true;
      setTimeout(() => link.socket.close(1000), 5);
    }
  }

  /** A file of a user, encrypted. @param key of the webhook; null for one of its own */
  addFile(media: FakeMedia, key: Buffer | null): { url: string; aeskey?: string } {
    const used = key ?? randomBytes(32);
    const padding = 32 - (media.content.length % 32);
    const cipher = createCipheriv('aes-256-cbc', used, used.subarray(0, 16)).setAutoPadding(false);
    const padded = Buffer.concat([media.content, Buffer.alloc(padding, padding)]);
    const content = Buffer.concat([cipher.update(padded), cipher.final()]);
    const id = this.#conversations.newId('file');
    this.#files.set(id, { media, content, until: this.#now() + 300_000 });
    const host = media.fault === 'private_address' ? 'http://10.255.255.1' : this.url;
    return { url: `${host}/files/${id}?sign=secret`, ...(key === null ? { aeskey: used.toString('base64') } : {}) };
  }

  /** An address for one reply. */
  addReply(chat: FakeChat): string {
    const code = this.#conversations.newId('code');
    this.#replies.set(code, { chat, until: this.#now() + hour });
    return `${this.url}/cgi-bin/aibot/response?response_code=${code}`;
  }

  spendReply(url: string): void {
    this.#replies.delete(URL.parse(url)?.searchParams.get('response_code') ?? '');
  }

  #accept(socket: WebSocket): void {
    const link: Link = { socket, account: null, isMuted: false, isDismissed: false };
    this.links.add(link);
    socket.on('error', () => undefined);
    socket.on('close', () => this.links.delete(link));
    socket.on('message', (data) => {
      if (!link.isMuted) this.#onFrame(link, String(data));
    });
  }

  #onFrame(link: Link, text: string): void {
    const frame = fieldsOf(JSON.parse(text));
    const { cmd, headers } = frame;
    const { req_id } = fieldsOf(headers);
    const body = fieldsOf(frame.body);
    if (typeof req_id !== 'string' || req_id === '') {
      this.#conversations.violations.push(`a frame ${String(cmd)} without req_id`);
      return;
    }
    const answer = (fields: object) => {
      link.socket.send(JSON.stringify({ headers: { req_id }, errcode: 0, errmsg: 'ok', ...fields }));
    };
    if (link.isDismissed) return void answer({ errcode: 853000, errmsg: 'invalid bot_id or secret' });
    const planned = cmd === 'ping' ? null : this.#plan.next(this.#routesOf(String(cmd), body));
    if (planned !== null && 'error' in planned) return void answer(planned.error);
    if (planned?.how === 'wrong_body') return void link.socket.send('<html>Bad gateway</html>');
    const result = this.#carryOut(link, String(cmd), req_id, body);
    if (planned === null) answer(result);
    else if (planned.how === 'cut') link.socket.terminate();
    if (cmd === 'aibot_subscribe' && link.account !== null && planned === null) this.onReady();
  }

  #routesOf(cmd: string, body: Fields): FakeRoute[] {
    if (cmd === 'aibot_subscribe') return ['start'];
    if (cmd.startsWith('aibot_upload')) return ['upload'];
    if (cmd === 'aibot_respond_msg' && this.#conversations.isRefresh(body)) return ['edit'];
    return cmd === 'aibot_respond_msg' || cmd === 'aibot_send_msg' ? ['send'] : [];
  }

  #carryOut(link: Link, cmd: string, reqId: string, body: Fields): object {
    const conversations = this.#conversations;
    if (cmd === 'aibot_subscribe') return this.#subscribe(link, body);
    if (cmd !== 'ping' && link.account === null) conversations.violations.push(`${cmd} before aibot_subscribe`);
    try {
      switch (cmd) {
        case 'ping':
          return {};
        case 'aibot_respond_msg':
          conversations.respond(reqId, body);
          return {};
        case 'aibot_respond_welcome_msg':
          conversations.respond(reqId, { msgtype: 'markdown', markdown: fieldsOf(body.text) });
          return {};
        case 'aibot_send_msg':
          conversations.send(body);
          return {};
        case 'aibot_upload_media_init':
          return { body: conversations.beginUpload(body) };
        case 'aibot_upload_media_chunk':
          return { body: conversations.addChunk(body) };
        case 'aibot_upload_media_finish':
          return { body: conversations.endUpload(body) };
        default:
          conversations.violations.push(`there is no command ${cmd}`);
          return { errcode: 40058, errmsg: 'unknown cmd' };
      }
    } catch (error) {
      if (!(error instanceof WecomError)) throw error;
      return { errcode: error.errcode, errmsg: error.message };
    }
  }

  /** Only the newest connection of a bot counts. The documentation names no code for wrong credentials. */
  #subscribe(link: Link, { bot_id, secret }: Fields): object {
    const account = this.#accounts.find(({ BotId, Secret }) => BotId === bot_id && Secret === secret);
    if (account === undefined) return { errcode: 853000, errmsg: 'invalid bot_id or secret' };
    const before = [...this.links].find((one) => one.account === account);
    if (before !== undefined) this.end(before, this.#conversations.newId('event'));
    link.account = account;
    return {};
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    let text = '';
    for await (const chunk of request) text += chunk;
    if (pathname.startsWith('/files/')) return this.#sendFile(pathname.slice('/files/'.length), response);
    if (pathname !== '/cgi-bin/aibot/response' || request.method !== 'POST') {
      this.#conversations.violations.push(`there is no ${request.method} ${pathname}`);
      return void response.writeHead(404).end();
    }
    const planned = this.#plan.next(['send']);
    const result = planned !== null && 'error' in planned ? planned.error : this.#reply(searchParams, text, planned);
    if (planned === null || 'error' in planned) response.end(JSON.stringify({ errcode: 0, errmsg: 'ok', ...result }));
    else if (planned.how === 'cut') response.destroy();
    else if (planned.how === 'wrong_body') response.writeHead(502).end('<html>Bad gateway</html>');
  }

  #reply(params: URLSearchParams, text: string, planned: Planned): object {
    if (planned !== null && 'how' in planned && planned.how === 'wrong_body') return {};
    const code = params.get('response_code') ?? '';
    const reply = this.#replies.get(code);
    const { msgtype, markdown } = fieldsOf(JSON.parse(text));
    if (msgtype !== 'markdown') return { errcode: 40008, errmsg: 'invalid message type' };
    if (reply === undefined || reply.until <= this.#now()) return { errcode: 846610, errmsg: 'response_code expired' };
    try {
      this.#conversations.post(reply.chat, fieldsOf(markdown).content);
    } catch (error) {
      if (!(error instanceof WecomError)) throw error;
      return { errcode: error.errcode, errmsg: error.message };
    }
    this.#replies.delete(code);
    return {};
  }

  #sendFile(id: string, response: ServerResponse): void {
    const file = this.#files.get(id);
    const planned = this.#plan.next(['media']);
    if (planned !== null && 'error' in planned) return void response.writeHead(500).end();
    if (planned?.how === 'silence') return;
    if (planned !== null) return void response.destroy();
    if (file === undefined || file.media.fault === 'gone' || file.until < this.#now()) {
      response.writeHead(404).end();
    } else if (file.media.fault === 'forbidden') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Forbidden</h1>');
    } else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.content);
  }
}
