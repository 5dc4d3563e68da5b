import type { MessageChain, MessageElement } from '../../../src/message-chain.ts';
import type { MediaReference, MessageEvent, MessageFacts } from '../../../src/message-event.ts';
import type { Shared } from './config.ts';

/** A message as the platform sends it. Nothing of it is certain. */
interface SentMessage {
  id?: unknown;
  chat?: { kind?: unknown; id?: unknown; thread?: unknown; name?: unknown };
  user?: { id?: unknown; name?: unknown; bot?: unknown };
  at?: unknown;
  parts?: unknown;
  quote?: { id?: unknown; user?: unknown; text?: unknown };
  reply?: { token?: unknown; until?: unknown };
}

interface Part {
  type?: unknown;
  text?: unknown;
  who?: unknown;
  id?: unknown;
  name?: unknown;
  kind?: unknown;
  url?: unknown;
}

const text = (value: unknown, most = 512) => (typeof value === 'string' ? value.slice(0, most) : '');

/** @returns null when it is nothing that a user wrote */
export function parseMessage(value: unknown, accountId: string, shared: Shared): MessageEvent | null {
  const { id, chat, user, at, parts, quote, reply } = (value ?? {}) as SentMessage;
  const session = text(chat?.id);
  if (text(id) === '' || session === '' || text(user?.id) === '') return null;
  if (user?.bot === true && !shared.has('receives its own messages')) return null;
  const { chain, facts, media } = readParts(Array.isArray(parts) ? parts : [], shared);
  if (chain.length === 0) return null;
  const isReply = quote?.user === accountId;
  const meant = [...(facts.bot_mentions ?? []), ...(isReply ? ['reply' as const] : [])];
  return {
    platform_message_id: text(id),
    session_type: chat?.kind === 'group' ? 'group' : 'person',
    session_id: session,
    ...(text(chat?.thread) === '' ? {} : { thread_id: text(chat?.thread) }),
    sender_id: text(user?.id),
    sender_name: text(user?.name),
    ...(meant.length === 0 ? {} : { facts: { ...facts, bot_mentions: meant } }),
    message_chain: [...quoteOf(quote), ...chain],
    ...(typeof at === 'number' && Math.abs(at) < 8e15 ? { sent_at: new Date(at).toISOString() } : {}),
    ...(media.length === 0 ? {} : { media }),
    ...(text(reply?.token) === '' ? {} : { reply_context: contextOf(reply as object, shared) }),
  };
}

/** The platform takes one answer with a token, for a time. */
function contextOf({ token, until }: { token?: unknown; until?: unknown }, shared: Shared) {
  return {
    value: { token },
    ...(shared.has('context without uses') ? {} : { uses: 1 }),
    ...(shared.has('context without expiry') ? {} : { expires_at: new Date(Number(until)).toISOString() }),
  };
}

function quoteOf(quote: SentMessage['quote']): MessageChain {
  if (quote === undefined) return [];
  return [{ type: 'Quote', id: text(quote.id), sender_id: text(quote.user), origin: plain(text(quote.text, 4000)) }];
}

const plain = (content: string): MessageChain => (content === '' ? [] : [{ type: 'Plain', text: content }]);

function readParts(parts: Part[], shared: Shared) {
  const chain: MessageChain = [];
  const facts: { bot_mentions?: NonNullable<MessageFacts['bot_mentions']> } = {};
  const media: MediaReference[] = [];
  for (const part of parts) {
    const { type, text: content, who, id, name, kind, url } = part ?? {};
    if (type === 'text') chain.push(...plain(text(content, 100_000)));
    else if (type === 'mention' && who === 'user') chain.push({ type: 'At', target: text(id), display: text(name) });
    else if (type === 'mention') facts.bot_mentions = [who === 'role' ? 'role' : 'everyone'];
    else if (type === 'file') {
      chain.push(fileOf(text(kind), text(id), text(name)));
      media.push({ id: text(id), name: text(name), value: { url: text(url, 2048) } });
    } else if (!shared.has('drops unknown kinds')) chain.push({ type: 'Unknown', text: `[${text(type, 40)}]` });
  }
  return { chain, facts, media };
}

function fileOf(kind: string, id: string, name: string): MessageElement {
  if (kind === 'image') return { type: 'Image', image_id: id };
  return kind === 'voice' ? { type: 'Voice', voice_id: id } : { type: 'File', id, name };
}
