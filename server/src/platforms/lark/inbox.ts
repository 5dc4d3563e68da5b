import { type MessageElement, type MessageEvent, ParleyError, type PlatformContext } from '@parley/sdk';
import { textOf } from '../../lib/loose-values.ts';
import { eventOf, type LarkEvent } from './events.ts';
import { type ParsedMessage, parseMessage, parseNotice } from './parse.ts';
import type { Quotes } from './quotes.ts';
import { type StoreTokens, tenantState } from './tokens.ts';

export interface InboxOptions {
  context: Pick<PlatformContext, 'receive' | 'receiveNotice' | 'logger' | 'bot_uuid'>;
  quotes: Quotes;
  /** The bot's own id; null until it is known. */
  accountId: () => string | null;
  /** Id of the app, whose events are taken. */
  appId: string;
  /** Of an app of the store; null for a custom app. */
  store: StoreTokens | null;
}

/** Kinds of messages that are logged when they are seen for the first time. */
const mostKinds = 100;

/** Processes the events of both connections: parses them, and stores what they bring. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #unknownKinds = new Set<string>();

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /**
   * Takes one event. When it resolves, it is stored, or there was nothing to store.
   * @throws when the platform should send it again
   */
  async take(value: unknown): Promise<void> {
    const event = this.#read(value);
    if (event === null) return;
    if (event.type === 'app_ticket') return this.#takeTicket(event);
    const notice = parseNotice(event);
    if (notice !== null) return this.#options.context.receiveNotice(notice);
    if (event.type !== 'im.message.receive_v1') return;
    const parsed = this.#parse(event);
    if (parsed === null) return;
    const message = await this.#complete(parsed, event);
    try {
      await this.#options.context.receive(message, tenantState(event.tenant));
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const { bot_uuid, logger } = this.#options.context;
      logger.warn(
        { bot: bot_uuid, message: message.platform_message_id, reason: error.reason },
        'a message was refused',
      );
    }
  }

  #read(value: unknown): LarkEvent | null {
    const { appId, store } = this.#options;
    const event = eventOf(value);
    if (event === null || (event.app !== '' && event.app !== appId)) return null;
    // A custom app belongs to one company.
    return store === null ? { ...event, tenant: '' } : event;
  }

  async #takeTicket({ content }: LarkEvent): Promise<void> {
    const ticket = textOf(content.app_ticket);
    if (ticket !== '') await this.#options.store?.takeTicket(ticket);
  }

  #parse(event: LarkEvent): ParsedMessage | null {
    const { bot_uuid, logger } = this.#options.context;
    try {
      return parseMessage(event);
    } catch (error) {
      // It would be no better the next time, and would come again for hours.
      logger.error({ bot: bot_uuid, event: event.id, error }, 'unreadable event');
      return null;
    }
  }

  /** Adds the quoted message, and whether the bot is meant by it. */
  async #complete({ event, quoted, unknown }: ParsedMessage, { tenant }: LarkEvent): Promise<MessageEvent> {
    if (unknown !== null) this.#logKind(unknown);
    if (quoted === null) return event;
    const quote = await this.#options.quotes.of(quoted, tenant);
    const [source, ...rest] = event.message_chain as [MessageElement, ...MessageElement[]];
    const mentions = event.facts?.bot_mentions;
    const facts =
      quote.isOwn && mentions !== undefined ? { bot_mentions: [...mentions, 'reply' as const] } : event.facts;
    return {
      ...event,
      ...(facts === undefined ? {} : { facts }),
      message_chain: [source, { type: 'Quote', ...quote.element }, ...rest],
    };
  }

  #logKind(kind: string): void {
    if (this.#unknownKinds.has(kind) || this.#unknownKinds.size >= mostKinds) return;
    this.#unknownKinds.add(kind);
    const { bot_uuid, logger } = this.#options.context;
    logger.info({ bot: bot_uuid, kind: kind.slice(0, 60) }, 'messages of an unknown kind are shown as such');
  }
}

/** Whether no later attempt would store a message. */
function isRefusedForGood(error: unknown): error is ParleyError {
  return error instanceof ParleyError && (error.reason === 'invalid_request' || error.reason === 'too_large');
}
