import type { FakeChat, FakeMediaKind, ShownMessage } from '@parley/sdk/testing';
import { OldRefusal, Refusal } from './refusal.ts';

type Fields = Record<string, unknown>;
type Shown = { -readonly [Name in keyof ShownMessage]: ShownMessage[Name] };

interface StoredMessage extends Omit<Shown, 'history' | 'isUnfinished'> {
  history: { text: string; at: number }[];
  /** Id of the card that it shows; null for another message. */
  card: string | null;
}

interface Card {
  params: Record<string, string>;
  /** Takes no further text of a stream. */
  isFinal: boolean;
  /** Ids of updates that were made. */
  guids: Set<string>;
}

interface Session {
  chat: FakeChat;
  until: number;
}

/** Longest text of a message, bytes. */
const longest = 20_000;
/** Messages a minute with the session webhooks of a chat, and for how long they are refused after more. */
const [most, refusedMs] = [20, 600_000];

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Messages, cards and files as users see them. */
export class FakeChats {
  readonly messages: StoredMessage[] = [];
  readonly uploads = new Map<string, { kind: FakeMediaKind; name: string; content: Uint8Array }>();
  readonly now: () => number;
  readonly sessions = new Map<string, Session>();
  readonly #cards = new Map<string, Card>();
  readonly #answers = new Map<string, { times: number[]; refusedUntil: number }>();
  readonly #groups: readonly string[];
  readonly #users: readonly string[];
  #next = 1;

  constructor(now: () => number, known: { groups: readonly string[]; users: readonly string[] }) {
    this.now = now;
    this.#groups = known.groups;
    this.#users = known.users;
  }

  newId(prefix: string): string {
    this.#next += 1;
    return `${prefix}${this.#next.toString(16).padStart(8, '0')}`;
  }

  /** A message with a session webhook. */
  answer(session: string, { msgtype, text, markdown, at }: Fields): void {
    const { chat, until } = this.sessions.get(session) ?? { chat: null, until: 0 };
    if (chat === null || until <= this.now()) throw new OldRefusal(300001, 'token is not exist');
    this.#countAnswer(chat.session_id);
    const { title, text: content } = (markdown ?? {}) as Fields;
    const shown = msgtype === 'text' ? (text as Fields)?.content : content;
    if (msgtype !== 'text' && (msgtype !== 'markdown' || !isText(title)))
      throw new OldRefusal(400105, 'unsupported msgtype');
    if (!isText(shown)) throw new OldRefusal(40035, 'missing parameter');
    if (Buffer.byteLength(shown) > longest) throw new OldRefusal(460101, 'message too long, exceed 20000 bytes');
    const { atUserIds = [], isAtAll } = (at ?? {}) as { atUserIds?: string[]; isAtAll?: boolean };
    const named = atUserIds.filter((id) => shown.includes(`@${id}`));
    this.#add(chat, { text: shown, notifies: isAtAll ? ['everyone'] : named });
  }

  #countAnswer(chat: string): void {
    const counted = this.#answers.get(chat) ?? { times: [], refusedUntil: 0 };
    this.#answers.set(chat, counted);
    counted.times = counted.times.filter((time) => time > this.now() - 60_000);
    if (counted.times.length >= most) counted.refusedUntil = this.now() + refusedMs;
    if (counted.refusedUntil > this.now()) {
      throw new OldRefusal(130101, 'send too fast, exceed 20 times per minute');
    }
    counted.times.push(this.now());
  }

  sendToUsers({ userIds, ...message }: Fields): object {
    if (!Array.isArray(userIds) || userIds.length === 0 || userIds.length > 20) {
      throw new Refusal(400, 'invalidParameter.userIds.empty', 'userIds is required');
    }
    const known = userIds.filter((id) => this.#users.includes(String(id)));
    const processQueryKey = this.newId('process');
    for (const id of known) this.#send({ session_type: 'person', session_id: String(id), thread_id: '' }, message);
    return {
      processQueryKey,
      invalidStaffIdList: userIds.filter((id) => !known.includes(id)),
      flowControlledStaffIdList: [],
    };
  }

  sendToGroup({ openConversationId, ...message }: Fields): object {
    const id = String(openConversationId);
    if (!this.#groups.includes(id)) {
      throw new Refusal(400, 'invalidParameter.openConversationId', 'openConversationId is not valid');
    }
    this.#send({ session_type: 'group', session_id: id, thread_id: '' }, message);
    return { processQueryKey: this.newId('process') };
  }

  #send(chat: FakeChat, { msgKey, msgParam }: Fields): void {
    const faulty = new Refusal(400, 'invalidParameter.msgParam', 'msgParam is not valid');
    if (!isText(msgParam)) throw faulty;
    const param = JSON.parse(msgParam) as Record<string, string>;
    const text = msgKey === 'sampleText' ? param.content : param.text;
    const file = this.uploads.get(String(param.photoURL ?? param.mediaId));
    switch (msgKey) {
      case 'sampleText':
      case 'sampleMarkdown':
        if (!isText(text) || (msgKey === 'sampleMarkdown' && !isText(param.title))) throw faulty;
        if (Buffer.byteLength(text) > longest) throw faulty;
        this.#add(chat, { text });
        break;
      case 'sampleAudio':
      case 'sampleFile':
      case 'sampleImageMsg':
        if (file === undefined || Object.values(param).some((value) => !isText(value))) throw faulty;
        this.#add(chat, { text: '', media: [file] });
        break;
      default:
        throw new Refusal(400, 'invalidParameter.msgKey', 'msgKey is not valid');
    }
  }

  #add(chat: FakeChat, message: Partial<StoredMessage> & { text: string }): void {
    const { text } = message;
    const rest = { media: [], quotes: null, notifies: [], card: null };
    const history = text === '' ? [] : [{ text, at: this.now() }];
    this.messages.push({ ...rest, id: this.newId('msg'), chat, history, ...message });
  }

  /** A card with a known `outTrackId` is not shown again. */
  createCard({ outTrackId, cardData, openSpaceId, cardTemplateId }: Fields, templateId: string): object {
    if (!isText(outTrackId)) throw new Refusal(400, 'invalidParameter.outTrackId', 'outTrackId is required');
    if (cardTemplateId !== templateId) throw new Refusal(400, 'invalidParameter.cardTemplateId', 'no such template');
    const [, space, id = ''] = /^dtv1\.card\/\/IM_(GROUP|ROBOT)\.(.+)$/.exec(String(openSpaceId)) ?? [];
    const known = space === 'GROUP' ? this.#groups : this.#users;
    const success = known.includes(id);
    if (success && !this.#cards.has(outTrackId)) {
      const params = (cardData as { cardParamMap: Record<string, string> }).cardParamMap;
      for (const value of Object.values(params)) {
        if (typeof value !== 'string') throw new Refusal(400, 'invalidParameter.cardData', 'values must be texts');
      }
      this.#cards.set(outTrackId, { params: structuredClone(params), isFinal: false, guids: new Set() });
      const session_type = space === 'GROUP' ? 'group' : 'person';
      const text = params.content ?? '';
      this.#add({ session_type, session_id: id, thread_id: '' }, { text, card: outTrackId });
    }
    const errorMsg = success ? '' : 'spaceId is illegal';
    return { success: true, result: { outTrackId, deliverResults: [{ spaceId: id, success, errorMsg }] } };
  }

  stream({ outTrackId, guid, key, content, isFull, isFinalize, isError }: Fields): object {
    const card = this.#card(outTrackId);
    if (!isText(guid) || key !== 'content' || typeof content !== 'string') {
      throw new Refusal(400, 'invalidParameter.guid', 'guid, key and content are required');
    }
    // The code for this is not documented.
    if (card.isFinal) throw new Refusal(400, 'param.error', 'the card is not in the state of input');
    if (!card.guids.has(guid)) {
      card.guids.add(guid);
      card.params.content = isFull === true ? content : (card.params.content ?? '') + content;
      card.isFinal = isFinalize === true || isError === true;
      this.#show(String(outTrackId), card);
    }
    return { success: true, result: true };
  }

  setCard({ outTrackId, cardData, cardUpdateOptions }: Fields): object {
    const card = this.#card(outTrackId);
    const { cardParamMap } = cardData as { cardParamMap: Record<string, string> };
    const byKey = (cardUpdateOptions as Fields | undefined)?.updateCardDataByKey === true;
    card.params = byKey ? { ...card.params, ...cardParamMap } : cardParamMap;
    if (['3', '5'].includes(card.params.flowStatus ?? '')) card.isFinal = true;
    this.#show(String(outTrackId), card);
    return { success: true, result: true };
  }

  #card(outTrackId: unknown): Card {
    const card = this.#cards.get(String(outTrackId));
    if (card === undefined) throw new Refusal(400, 'invalidParameter.outTrackId', 'the card does not exist');
    return card;
  }

  #show(id: string, { params: { content: text = '' } }: Card): void {
    for (const message of this.messages) {
      if (message.card !== id || message.text === text) continue;
      message.text = text;
      message.history.push({ text, at: this.now() });
    }
  }

  /** The platform ends all cards. */
  closeCards(): void {
    for (const card of this.#cards.values()) card.isFinal = true;
  }

  shown(): ShownMessage[] {
    return this.messages.map(({ card, ...message }) => ({
      ...message,
      isUnfinished: card !== null && this.#cards.get(card)?.isFinal === false,
    }));
  }
}
