import type { FakeChat, FakeMedia, ShownMessage } from '@parley/sdk/testing';

export interface WireSegment {
  type: string;
  data: Record<string, unknown>;
}

/** A message as QQ keeps it, of a user or of the bot. */
export interface KeptMessage {
  id: number;
  chat: FakeChat;
  senderId: string;
  segments: WireSegment[];
  at: number;
}

/** A refusal of an action, as clients write it. */
export class ActionRefused extends Error {
  readonly retcode: number;

  constructor(retcode: number, message: string) {
    super(message);
    this.retcode = retcode;
  }
}

type Params = Record<string, unknown>;

/** What clients refuse as too long, UTF-16 units. */
const longestText = 4500;

/** A QQ account: its chats and messages, and the actions that a client offers for it. */
export class FakeAccount {
  readonly selfId: string;
  readonly messages = new Map<number, KeptMessage>();
  readonly shown: ShownMessage[] = [];
  readonly forwards = new Map<string, unknown[]>();
  readonly media = new Map<string, FakeMedia>();
  readonly violations: string[] = [];
  readonly calls: string[] = [];
  /** Where the files are, without a slash at its end. */
  mediaUrl = '';
  readonly #friends: readonly string[];
  readonly #groups: readonly string[];
  readonly #now: () => number;
  #lastId = 1_800_000_000;

  constructor(selfId: string, chats: { friends: readonly string[]; groups: readonly string[]; now: () => number }) {
    this.selfId = selfId;
    this.#friends = chats.friends;
    this.#groups = chats.groups;
    this.#now = chats.now;
  }

  /** Ids are unique and not in order; every second is negative. */
  nextId(): number {
    this.#lastId += 7;
    return this.#lastId % 2 === 0 ? this.#lastId : -this.#lastId;
  }

  keep(message: Omit<KeptMessage, 'id'>): KeptMessage {
    const kept = { ...message, id: this.nextId() };
    this.messages.set(kept.id, kept);
    return kept;
  }

  /** Carries out an action. @throws ActionRefused */
  run(action: string, params: Params): unknown {
    this.calls.push(action);
    const known = this.#actions[action];
    if (known !== undefined) return known(params);
    this.violations.push(`unknown action ${action}`);
    throw new ActionRefused(1404, `不支持的Api ${action}`);
  }

  readonly #actions: Record<string, ((params: Params) => unknown) | undefined> = {
    get_login_info: () => ({ user_id: Number(this.selfId), nickname: 'Parrot' }),
    get_version_info: () => ({ app_name: 'fake', protocol_version: 'v11' }),
    send_private_msg: ({ user_id, message }) => this.#send(this.#friend(user_id), message),
    send_group_msg: ({ group_id, message }) => this.#send(this.#group(group_id), message),
    send_private_forward_msg: ({ user_id, messages }) => this.#forward(this.#friend(user_id), messages),
    send_group_forward_msg: ({ group_id, messages }) => this.#forward(this.#group(group_id), messages),
    upload_private_file: ({ user_id, file, name }) => this.#upload(this.#friend(user_id), file, name),
    upload_group_file: ({ group_id, file, name }) => this.#upload(this.#group(group_id), file, name),
    get_msg: ({ message_id }) => this.#message(message_id),
    get_forward_msg: ({ id }) => {
      const messages = this.forwards.get(String(id));
      if (messages === undefined) throw new ActionRefused(1200, '消息已过期或者为内层消息，无法获取转发消息');
      return { messages };
    },
    get_group_info: ({ group_id }) => ({ ...ids(group_id), group_name: `Group ${this.#group(group_id).session_id}` }),
    get_group_member_info: ({ user_id }) => ({ user_id, nickname: `User ${user_id}`, card: `Member ${user_id}` }),
    get_stranger_info: ({ user_id }) => ({ user_id, nickname: `User ${user_id}` }),
    get_image: ({ file }) => this.#content(file),
    get_record: ({ file }) => this.#content(file),
    get_file: ({ file_id, file }) => this.#content(file_id ?? file),
    get_group_file_url: ({ file_id }) => ({ url: this.#addressOf(file_id) }),
    get_private_file_url: ({ file_id }) => ({ url: this.#addressOf(file_id) }),
  };

  #friend(id: unknown): FakeChat {
    if (this.#friends.includes(String(id))) return { session_type: 'person', session_id: String(id), thread_id: '' };
    throw new ActionRefused(1200, `无法获取用户信息: ${id} 不是好友`);
  }

  #group(id: unknown): FakeChat {
    if (this.#groups.includes(String(id))) return { session_type: 'group', session_id: String(id), thread_id: '' };
    throw new ActionRefused(1200, `群 ${id} 不存在`);
  }

  #send(chat: FakeChat, message: unknown): { message_id: number } {
    if (!Array.isArray(message) || message.length === 0) throw new ActionRefused(1400, '消息体为空');
    const segments = message as WireSegment[];
    const text = textIn(segments);
    if (text.length > longestText) throw new ActionRefused(1200, '消息体过长');
    if (segments.length > 1 && segments.some(({ type }) => type === 'record' || type === 'node')) {
      throw new ActionRefused(1400, '语音消息和转发消息不能与其他消息混合');
    }
    const reply = segments.find(({ type }) => type === 'reply')?.data.id;
    if (reply !== undefined && !this.messages.has(Number(reply))) throw new ActionRefused(1200, '回复的消息不存在');
    if (chat.session_type === 'person' && segments.some(({ type }) => type === 'at')) {
      throw new ActionRefused(1400, '私聊不支持 at');
    }
    return this.#show(chat, segments, text);
  }

  #forward(chat: FakeChat, nodes: unknown): { message_id: number; forward_id: string } {
    if (!Array.isArray(nodes) || nodes.length === 0) throw new ActionRefused(1400, '转发消息为空');
    const { message_id } = this.#show(chat, nodes as WireSegment[], linesOf(nodes as WireSegment[]).join('\n'));
    return { message_id, forward_id: `forward-${message_id}` };
  }

  #upload(chat: FakeChat, file: unknown, name: unknown): null {
    if (typeof name !== 'string' || name === '') throw new ActionRefused(1400, '文件名为空');
    this.#show(chat, [{ type: 'file', data: { file, name } }], '');
    return null;
  }

  #show(chat: FakeChat, segments: WireSegment[], text: string): { message_id: number } {
    const media = segments.flatMap(mediaOf);
    const { id } = this.keep({ chat, senderId: this.selfId, segments, at: this.#now() });
    const mentions = segments.filter(({ type }) => type === 'at').map(({ data }) => String(data.qq));
    this.shown.push({
      id: String(id),
      chat,
      text,
      history: [{ text, at: this.#now() }],
      media,
      quotes: (segments.find(({ type }) => type === 'reply')?.data.id as string | undefined) ?? null,
      notifies: mentions.map((qq) => (qq === 'all' ? 'everyone' : qq)),
      isUnfinished: false,
    });
    return { message_id: id };
  }

  #message(id: unknown): unknown {
    const message = this.messages.get(Number(id));
    if (message === undefined) throw new ActionRefused(1200, '消息不存在');
    const { chat, senderId, segments, at } = message;
    const group = chat.session_type === 'group' ? { group_id: Number(chat.session_id) } : {};
    const sender = { user_id: Number(senderId), nickname: `User ${senderId}` };
    return { message_id: Number(id), ...group, time: Math.floor(at / 1000), sender, message: segments };
  }

  #content(name: unknown): unknown {
    const media = this.#mediaOf(name);
    if (media.fault === 'private_address') return { file: '/app/cache/x', url: this.#addressOf(name) };
    const size = media.fault === 'wrong_type' ? 1 : media.content.length;
    return { file: '/app/cache/x', file_size: String(size), base64: Buffer.from(media.content).toString('base64') };
  }

  #addressOf(name: unknown): string {
    return this.#mediaOf(name).fault === 'private_address'
      ? 'http://10.255.255.1/file'
      : `${this.mediaUrl}/media/${encodeURIComponent(String(name))}`;
  }

  #mediaOf(name: unknown): FakeMedia {
    const media = this.media.get(String(name));
    if (media === undefined || media.fault === 'gone') throw new ActionRefused(1200, 'file not found');
    if (media.fault === 'forbidden') throw new ActionRefused(1200, '没有权限');
    return media;
  }
}

const ids = (group_id: unknown) => ({ group_id: Number(group_id) });

function textIn(segments: readonly WireSegment[]): string {
  return segments
    .map(({ type, data }) => {
      if (type === 'text') return String(data.text);
      if (type === 'at') return data.qq === 'all' ? '@全体成员' : `@${data.qq}`;
      return type === 'face' ? `[face ${data.id}]` : '';
    })
    .join('');
}

function linesOf(nodes: readonly WireSegment[]): string[] {
  return nodes.flatMap(({ type, data }) => {
    if (type !== 'node' || !Array.isArray(data.content)) throw new ActionRefused(1400, '转发节点无效');
    const content = data.content as WireSegment[];
    const lines = content.some((segment) => segment.type === 'node') ? linesOf(content) : [textIn(content)];
    return lines.map((line) => `${data.nickname}: ${line}`);
  });
}

function mediaOf({ type, data }: WireSegment): ShownMessage['media'][number][] {
  if (type === 'node') return (data.content as WireSegment[]).flatMap(mediaOf);
  const kind = ({ image: 'image', record: 'voice', file: 'file' } as const)[type];
  if (kind === undefined) return [];
  const [, base64] = /^base64:\/\/([A-Za-z0-9+/]+=*)$/.exec(String(data.file)) ?? [];
  if (base64 === undefined) throw new ActionRefused(1200, '识别URL失败');
  return [{ kind, name: String(data.name ?? ''), content: Buffer.from(base64, 'base64') }];
}
