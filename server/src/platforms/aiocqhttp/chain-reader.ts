import {
  type MediaReference,
  type MessageChain,
  type MessageElement,
  maximumChainDepth,
  maximumChainElements,
} from '@parley/sdk';
import { simpleElement } from './elements.ts';
import { type Fields, fieldsOf, idOf, listOf, textOf } from './fields.ts';
import { type MediaKind, mediaReference, sizeOf } from './media-reference.ts';
import type { Segment } from './segment.ts';
import { readSegments } from './segments.ts';

export interface ChainReaderOptions {
  /** The group that the message was sent to; null for a private chat. */
  group_id: string | null;
  /** Calls an action of the client, until the time for lookups is over. */
  lookUp(action: string, params: Fields): Promise<unknown>;
  /** The id of a message as the client writes it. */
  wireId(id: string): string | number;
  onUnknown(kind: string): void;
}

/** Messages that are looked up for one, and nodes that a forwarded chat may have. */
const [mostLookups, mostNodes] = [10, 200];

const mediaKinds: Readonly<Record<string, MediaKind>> = {
  image: 'image',
  mface: 'image',
  record: 'record',
  video: 'video',
  file: 'file',
};

type Node = NonNullable<Extract<MessageElement, { type: 'Forward' }>['node_list']>[number];

/** Reads the segments of one message, with the messages that it quotes and forwards. Never rejects. */
export class ChainReader {
  /** The files of the message, which are fetched later. */
  readonly media: MediaReference[] = [];
  readonly #options: ChainReaderOptions;
  #elements = 0;
  #lookups = 0;
  #nodes = 0;

  constructor(options: ChainReaderOptions) {
    this.#options = options;
  }

  /** @param depth of the chain, from 1; quoted messages are looked up for the first only */
  async read(segments: readonly Segment[], depth = 1): Promise<MessageChain> {
    const chain: MessageChain = [];
    if (depth > maximumChainDepth) return chain;
    for (const segment of segments) {
      // One place is for the element `Source`.
      if (this.#elements >= maximumChainElements - 1) break;
      this.#elements += 1;
      const element = await this.#elementOf(segment, depth);
      if (element !== null) chain.push(element);
    }
    return chain;
  }

  async #elementOf(segment: Segment, depth: number): Promise<MessageElement | null> {
    const simple = simpleElement(segment);
    if (simple !== undefined) return simple;
    const { type, data } = segment;
    if (type === 'reply') return this.#quote(idOf(data.id), depth);
    if (type === 'forward') return this.#forward(data, depth);
    const kind = Object.hasOwn(mediaKinds, type) ? mediaKinds[type] : undefined;
    if (kind !== undefined) return this.#file(kind, data);
    this.#options.onUnknown(type);
    return { type: 'Unknown', text: `[${type.slice(0, 64)}]` };
  }

  #file(kind: MediaKind, data: Fields): MessageElement {
    const inline = /^base64:\/\//i.test(textOf(data.file)) ? textOf(data.file).slice('base64://'.length) : null;
    const { group_id } = this.#options;
    const reference = mediaReference(kind, data, { group_id, number: this.media.length + 1 });
    if (inline === null) this.media.push(reference);
    const content = inline === null ? {} : { base64: inline };
    const { id, name } = reference;
    if (kind === 'image') return { type: 'Image', image_id: id, ...content };
    if (kind === 'record') return { type: 'Voice', voice_id: id, ...content };
    const size = sizeOf(data);
    return { type: 'File', id, name, ...(size === null ? {} : { size }), ...content };
  }

  /** The quoted message with its content, or its id alone when the client does not tell it in time. */
  async #quote(id: string | null, depth: number): Promise<MessageElement | null> {
    if (id === null) return null;
    const params = { message_id: this.#options.wireId(id) };
    const message = depth === 1 ? fieldsOf(await this.#lookedUp('get_msg', params)) : {};
    const { group_id } = this.#options;
    const sender = idOf(fieldsOf(message.sender).user_id ?? message.user_id);
    return {
      type: 'Quote',
      id,
      ...(group_id === null ? {} : { group_id }),
      ...(sender === null ? {} : { sender_id: sender }),
      origin: await this.read(readSegments(message.message ?? message.raw_message), depth + 1),
    };
  }

  /** A forwarded chat, whose messages are there already or under an id. */
  async #forward({ id, content }: Fields, depth: number): Promise<MessageElement> {
    const forwarded = { type: 'Forward', node_list: [] } as const;
    if (depth >= maximumChainDepth) return { ...forwarded, node_list: [] };
    let nodes = listOf(content);
    const known = idOf(id);
    if (nodes.length === 0 && known !== null) {
      const answer = fieldsOf(await this.#lookedUp('get_forward_msg', { id: known, message_id: known }));
      nodes = [answer.messages, answer.message, answer.content].map(listOf).find(({ length }) => length > 0) ?? [];
    }
    return { ...forwarded, node_list: await this.#nodesOf(nodes, depth) };
  }

  async #nodesOf(nodes: readonly unknown[], depth: number): Promise<Node[]> {
    const read: Node[] = [];
    for (const node of nodes) {
      if (this.#nodes >= mostNodes) break;
      this.#nodes += 1;
      read.push(await this.#node(fieldsOf(node), depth));
    }
    return read;
  }

  /** A forwarded message: as a segment `node`, or as the client tells any message. */
  async #node(node: Fields, depth: number): Promise<Node> {
    const message = node.type === 'node' ? fieldsOf(node.data) : node;
    const sender = fieldsOf(message.sender);
    const sender_id = idOf(message.user_id ?? message.uin ?? sender.user_id);
    const message_id = idOf(message.message_id);
    const content = message.content ?? message.message ?? message.raw_message;
    const [first] = listOf(content).map(fieldsOf);
    const message_chain =
      first?.type === 'node'
        ? [await this.#forward({ content }, depth + 1)]
        : await this.read(readSegments(content), depth + 1);
    return {
      ...(sender_id === null ? {} : { sender_id }),
      sender_name: [message.nickname, message.name, sender.card, sender.nickname].map(textOf).find(Boolean) ?? '',
      ...(message_id === null ? {} : { message_id }),
      message_chain,
    };
  }

  /** Undefined when the client does not tell. */
  async #lookedUp(action: string, params: Fields): Promise<unknown> {
    if (this.#lookups >= mostLookups) return undefined;
    this.#lookups += 1;
    return this.#options.lookUp(action, params).catch(() => undefined);
  }
}
