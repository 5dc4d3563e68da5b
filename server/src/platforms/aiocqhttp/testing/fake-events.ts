import { type FakeMedia, type FakeMessage, NotOfThisPlatform } from '@parley/sdk/testing';
import type { FakeAccount, KeptMessage, WireSegment } from './fake-account.ts';

/** Frames as a client sends them. */
export class FakeEvents {
  readonly #account: FakeAccount;
  readonly #now: () => number;

  constructor(account: FakeAccount, now: () => number) {
    this.#account = account;
    this.#now = now;
  }

  message(kept: KeptMessage, { sender_name = 'Ada', sent_at }: FakeMessage = {}): Record<string, unknown> {
    const isGroup = kept.chat.session_type === 'group';
    return {
      ...this.#base('message', sent_at?.getTime() ?? kept.at),
      message_type: isGroup ? 'group' : 'private',
      sub_type: isGroup ? 'normal' : 'friend',
      message_id: kept.id,
      user_id: Number(kept.senderId),
      ...(isGroup ? { group_id: Number(kept.chat.session_id) } : {}),
      message: kept.segments,
      raw_message: JSON.stringify(kept.segments).slice(0, 100),
      font: 14,
      sender: { user_id: Number(kept.senderId), nickname: sender_name, card: '', role: 'member' },
    };
  }

  recall({ chat, id, senderId }: KeptMessage): Record<string, unknown> {
    const isGroup = chat.session_type === 'group';
    return {
      ...this.#base('notice'),
      notice_type: isGroup ? 'group_recall' : 'friend_recall',
      user_id: Number(senderId),
      ...(isGroup ? { group_id: Number(chat.session_id), operator_id: Number(senderId) } : {}),
      message_id: id,
    };
  }

  addedTo(groupId: string): Record<string, unknown> {
    const self = Number(this.#account.selfId);
    const notice = { notice_type: 'group_increase', sub_type: 'invite', operator_id: 10001, user_id: self };
    return { ...this.#base('notice'), ...notice, group_id: Number(groupId) };
  }

  lifecycle(): Record<string, unknown> {
    return { ...this.#base('meta_event'), meta_event_type: 'lifecycle', sub_type: 'connect' };
  }

  heartbeat(interval: number, online: boolean): Record<string, unknown> {
    return { ...this.#base('meta_event'), meta_event_type: 'heartbeat', interval, status: { online, good: online } };
  }

  /** The segments of a message that a user writes. */
  segmentsOf(message: FakeMessage): WireSegment[] {
    if (message.kind === 'empty') return [];
    if (message.kind === 'unknown') return [{ type: 'hologram', data: { id: '1' } }];
    const quoted = message.quotes === undefined ? [] : [reply(message.quotes)];
    const nested = message.depth === undefined ? [] : [nestedMark];
    const { mention, text = message.media || message.depth ? '' : 'Hello' } = message;
    const files = (message.media ?? []).map((media) => this.#fileOf(media));
    return [...quoted, ...mentionOf(mention, this.#account.selfId), ...written(text), ...files, ...nested];
  }

  #fileOf(media: FakeMedia): WireSegment {
    const file = `${this.#account.media.size + 1}-${media.name}`;
    this.#account.media.set(file, media);
    const size = media.fault === 'wrong_type' ? 1 : media.content.length;
    const host = media.fault === 'private_address' ? 'http://10.255.255.1' : `${this.#account.mediaUrl}/media`;
    const url = `${host}/${encodeURIComponent(file)}`;
    if (media.kind === 'file')
      return { type: 'file', data: { file: media.name, file_id: file, file_size: String(size) } };
    return { type: media.kind === 'voice' ? 'record' : 'image', data: { file, url, file_size: String(size) } };
  }

  #base(post_type: string, at = this.#now()): Record<string, unknown> {
    return { time: Math.floor(at / 1000), self_id: Number(this.#account.selfId), post_type };
  }
}

const written = (text: string): WireSegment[] => (text === '' ? [] : [{ type: 'text', data: { text } }]);

function reply(quotes: string): WireSegment {
  return { type: 'reply', data: { id: quotes === 'gone' ? '404404' : quotes } };
}

function mentionOf(mention: FakeMessage['mention'], selfId: string): WireSegment[] {
  switch (mention) {
    case undefined:
      return [];
    case 'role':
      throw new NotOfThisPlatform('mentions of a role');
    case 'name':
      return written('@Parrot ');
    case 'everyone':
      return [{ type: 'at', data: { qq: 'all' } }];
    default:
      return [{ type: 'at', data: { qq: mention === 'account' ? selfId : '10009' } }];
  }
}

/** Stands for forwarded chats in one another until the frame is written: JSON.stringify cannot nest as deep. */
const nestedMark = { type: 'forward', data: { id: 'nested' } };

/** The text of an event. @param depth of the forwarded chats in it */
export function frameOf(event: Record<string, unknown>, depth = 0): string {
  const open =
    '{"type":"forward","data":{"id":"nested","content":[{"type":"node","data":{"user_id":"10001","content":[';
  const innermost = '{"type":"text","data":{"text":"the innermost"}}';
  const nested = `${open.repeat(depth)}${innermost}${']}}]}}'.repeat(depth)}`;
  return JSON.stringify(event).replace(JSON.stringify(nestedMark), () => nested);
}
