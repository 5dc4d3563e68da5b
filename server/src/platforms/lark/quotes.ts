import type { MessageChain, MessageElement } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import { inTime } from '../../lib/waiting.ts';
import type { LarkApi, Tokens } from './lark-api.ts';
import { mentionsOf } from './parse.ts';
import { parseContent } from './parse-content.ts';

/** A quoted message; without its content where that cannot be had in time. */
export interface QuotedMessage {
  element: Omit<Extract<MessageElement, { type: 'Quote' }>, 'type'>;
  /** The bot wrote it. */
  isOwn: boolean;
}

export interface QuotesOptions {
  api: LarkApi;
  tokens: Tokens;
  appId: string;
  /** Longest time for one, milliseconds. */
  timeoutMs: number;
}

/** Looks up messages that others quote. The platform tells their ids only. */
export class Quotes {
  readonly #options: QuotesOptions;

  constructor(options: QuotesOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async of(id: string, tenant: string): Promise<QuotedMessage> {
    const unknown = { element: { id, origin: [] }, isOwn: false };
    return inTime(
      this.#fetched(id, tenant).catch(() => unknown),
      this.#options.timeoutMs,
      () => unknown,
    );
  }

  async #fetched(id: string, tenant: string): Promise<QuotedMessage> {
    const { api, tokens, appId } = this.#options;
    const path = `/open-apis/im/v1/messages/${encodeURIComponent(id)}`;
    // Without it, a card is a text that asks to upgrade.
    const query = { card_msg_content_type: 'raw_card_content' };
    const { data } = await api.call({ method: 'GET', path, query, tokens, tenant: tenant || null, limit: 'quotes' });
    const message = objectOf(listOf(data?.items)[0]);
    const sender = objectOf(message.sender);
    const { elements } = parseContent({
      message_id: id,
      type: textOf(message.msg_type),
      content: textOf(objectOf(message.body).content),
      mentions: mentionsOf(message.mentions),
    });
    const isOwn = textOf(sender.sender_type) === 'app' && textOf(sender.id) === appId;
    const senderId = textOf(sender.id);
    return {
      element: { id, ...(senderId === '' ? {} : { sender_id: senderId }), origin: withoutFiles(elements) },
      isOwn,
    };
  }
}

/** Files of a quoted message are named, not fetched. */
function withoutFiles(elements: readonly MessageElement[]): MessageChain {
  return elements.map((element): MessageElement => {
    if (element.type === 'Image') return { type: 'Unknown', text: '[Image]' };
    if (element.type === 'Voice') return { type: 'Unknown', text: '[Voice message]' };
    return element.type === 'File' ? { type: 'Unknown', text: `[File ${element.name ?? ''}]` } : element;
  });
}
