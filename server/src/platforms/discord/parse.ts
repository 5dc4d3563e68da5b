import type { MediaReference, MessageChain, MessageElement, MessageEvent, MessageFacts } from '@parley/sdk';
import type { APIMessage, APIUser, GatewayMessageCreateDispatchData } from 'discord-api-types/v10';
import { attachmentsOf } from './attachments.ts';
import type { Place, ServerRoles } from './directory.ts';
import { textElements } from './parse-text.ts';
import { isId } from './target.ts';

/** What a message is read with. */
export interface Surroundings {
  /** The bot's own id. */
  userId: string;
  /** Null for a direct message. */
  place: Place | null;
  roles: ServerRoles | null;
  channelName(id: string): string | null;
}

/** A message as the gateway delivers it; any field may be missing or malformed. */
export type IncomingMessage = Partial<GatewayMessageCreateDispatchData>;

/** Types of messages that users write: plain ones and replies. @see https://docs.discord.com/developers/resources/message#message-object-message-types */
const writtenTypes: readonly unknown[] = [0, 19];
/** The latest type that Discord documents; all but the written ones are notices of the system. */
const latestType = 46;
/** What `message_reference` refers to. */
const forwarded = 1;

/** A part of a message with the files in it. */
interface Content {
  chain: MessageChain;
  media: MediaReference[];
}

/** Whether a user wrote a message, and not a bot, a webhook or the system. @param own the bot's own id */
export function isOfUser({ author, webhook_id, type }: IncomingMessage, own: string): boolean {
  if (!isId(author?.id) || author.id === own || webhook_id !== undefined) return false;
  const isKnownNotice = typeof type === 'number' && type <= latestType && !writtenTypes.includes(type);
  return author.bot !== true && author.system !== true && !isKnownNotice;
}

/** The number of a type of message that is not known; null for a known one. */
export function unknownTypeOf({ type }: IncomingMessage): number | null {
  return typeof type === 'number' && type > latestType ? type : null;
}

/**
 * Reads a message of a user.
 * @returns null without content or valid ids
 */
export function parseMessage(message: IncomingMessage, surroundings: Surroundings): MessageEvent | null {
  const { id, channel_id, author, timestamp } = message;
  if (!isId(id) || !isId(channel_id) || !isId(author?.id)) return null;
  const { place } = surroundings;
  const { chain, media } = contentOf({ ...message, id, channel_id }, surroundings);
  if (chain.length === 0) return null;
  const quote = quoteOf(message, surroundings);
  const files = [...quote.media, ...media];
  const written = Date.parse(String(timestamp));
  const sentAt = Number.isNaN(written) ? null : new Date(written);
  const facts = place === null ? {} : factsOf(message, place, surroundings);
  return {
    platform_message_id: id,
    session_type: place === null ? 'person' : 'group',
    session_id: place === null ? author.id : place.session_id,
    ...(place === null || place.thread_id === '' ? {} : { thread_id: place.thread_id }),
    sender_id: author.id,
    sender_name: nameOf(author, message.member?.nick),
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    message_chain: [
      { type: 'Source', id, timestamp: Math.floor((sentAt?.getTime() ?? 0) / 1000) },
      ...quote.chain,
      ...chain,
    ],
    ...(sentAt === null ? {} : { sent_at: sentAt.toISOString() }),
    ...(files.length === 0 ? {} : { media: files }),
  };
}

function factsOf(message: IncomingMessage, { name }: Place, { roles, userId }: Surroundings): MessageFacts {
  const { mention_roles, referenced_message: original, mention_everyone } = message;
  const isForRole = Array.isArray(mention_roles) && mention_roles.some((role) => roles?.own.has(role));
  const mentions = [
    ...(isForRole ? (['role'] as const) : []),
    ...(original?.author?.id === userId ? (['reply'] as const) : []),
    ...(mention_everyone === true ? (['everyone'] as const) : []),
  ];
  return {
    ...(name === '' ? {} : { group_name: name }),
    ...(mentions.length === 0 ? {} : { bot_mentions: mentions }),
  };
}

/** The name that users see: of the server, of the account, or the unique one. */
export function nameOf({ global_name, username, id }: Partial<APIUser>, nick?: unknown): string {
  const name = [nick, global_name, username].find((one) => typeof one === 'string' && one.trim() !== '');
  return String(name ?? id ?? '');
}

type Holder = IncomingMessage & Pick<APIMessage, 'id' | 'channel_id'>;

function contentOf(message: Holder, surroundings: Surroundings): Content {
  const { content, mentions, mention_everyone, attachments, message_reference: reference } = message;
  const unknown = unknownTypeOf(message);
  if (unknown !== null) {
    return { chain: [{ type: 'Unknown', text: `[Message of an unsupported kind (${unknown})]` }], media: [] };
  }
  if (reference?.type === forwarded) return forwardOf(message, surroundings);
  const users = (Array.isArray(mentions) ? mentions : []).map((user): [string, string] => [
    user.id,
    nameOf(user, user.member?.nick),
  ]);
  const { roles, channelName } = surroundings;
  const names = {
    users: new Map(users),
    everyone: mention_everyone === true,
    roleName: (id: string) => roles?.names.get(id) ?? null,
    channelName,
  };
  const text = typeof content === 'string' && content !== '' ? textElements(content, names) : [];
  const files = attachmentsOf(attachments, message);
  return {
    chain: [...text, ...describe(message), ...files.map(({ element }) => element)],
    media: files.map(({ reference: file }) => file),
  };
}

/** Content without a matching element, as text. */
function describe({ sticker_items: stickers, poll }: IncomingMessage): MessageElement[] {
  const texts = (Array.isArray(stickers) ? stickers : []).map(({ name }) => `[Sticker] ${name}`);
  if (poll?.question !== undefined) {
    const answers = (poll.answers ?? []).map(({ poll_media }) => `\n- ${poll_media?.text ?? ''}`);
    texts.push(`[Poll] ${poll.question.text ?? ''}${answers.join('')}`);
  }
  return texts.map((text) => ({ type: 'Unknown', text }));
}

/** A message that was forwarded: copies of others without their authors. */
function forwardOf(message: Holder, surroundings: Surroundings): Content {
  const { id, channel_id, message_snapshots: snapshots } = message;
  const contents = (Array.isArray(snapshots) ? snapshots : []).map((snapshot) => {
    // A copy of a forwarded message holds no further copies.
    const { message_reference: _, ...copy }: IncomingMessage = snapshot.message;
    return contentOf({ ...copy, id, channel_id }, surroundings);
  });
  if (contents.length === 0) return { chain: [{ type: 'Unknown', text: '[Forwarded message]' }], media: [] };
  const nodes = contents.map(({ chain }) => ({ message_chain: chain }));
  return { chain: [{ type: 'Forward', node_list: nodes }], media: contents.flatMap(({ media }) => media) };
}

/** The message replied to, with its content; only its id when it was deleted. */
function quoteOf(message: IncomingMessage, surroundings: Surroundings): Content {
  const { message_reference: reference, referenced_message: original, type } = message;
  if (type !== 19 || !isId(reference?.message_id)) return { chain: [], media: [] };
  const { place } = surroundings;
  const known = original !== null && original !== undefined && isId(original.id) && isId(original.channel_id);
  const { chain: origin, media } = known ? contentOf(original, surroundings) : { chain: [], media: [] };
  const quote: MessageElement = {
    type: 'Quote',
    id: reference.message_id,
    ...(place === null ? {} : { group_id: place.session_id }),
    ...(known && isId(original.author?.id) ? { sender_id: original.author.id } : {}),
    origin,
  };
  return { chain: [quote], media };
}
