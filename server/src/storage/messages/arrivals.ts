import { type MessageEvent, textOfChain } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { ConversationKey } from '../../core/conversations/conversation.ts';
import type { Arrival, StoredReceipt } from '../../core/messages/message-ledger.ts';
import type { ConversationRow, ConversationRows } from '../conversations/conversation-rows.ts';
import type { Tables } from '../database.ts';
import type { MessageContexts } from './message-contexts.ts';
import type { MessageQueue } from './message-queue.ts';
import type { MessageRows } from './message-rows.ts';
import type { WebhookOutbox } from './webhook-outbox.ts';

interface ArrivalParts {
  conversations: ConversationRows;
  rows: MessageRows;
  contexts: MessageContexts;
  webhooks: WebhookOutbox;
  queue: MessageQueue;
}

/** Stores inbound messages, each with its place in its conversation and in the queue. */
export class Arrivals {
  readonly #parts: ArrivalParts;

  constructor(parts: ArrivalParts) {
    this.#parts = parts;
  }

  async add(transaction: Transaction<Tables>, { key, event }: Arrival): Promise<StoredReceipt> {
    const { conversations, queue } = this.#parts;
    const conversation = await conversations.lockCurrent(transaction, key);
    const receipt = await this.#insert(transaction, conversation, event);
    if (receipt.outcome === 'accepted') await queue.add(transaction, conversation, dueAt(receipt));
    return receipt;
  }

  /** The conversations are locked in an order of their own, so that two batches at once never wait for each other. */
  async addAll(transaction: Transaction<Tables>, arrivals: readonly Arrival[]): Promise<StoredReceipt[]> {
    const { conversations, queue } = this.#parts;
    const keys = new Map(arrivals.map(({ key }) => [textOfKey(key), key]));
    const locked = new Map<string, ConversationRow>();
    for (const [text, key] of [...keys].sort(([left], [right]) => (left < right ? -1 : 1))) {
      locked.set(text, await conversations.lockCurrent(transaction, key));
    }
    const receipts: StoredReceipt[] = [];
    const queued = new Set<string>();
    for (const { key, event } of arrivals) {
      const conversation = locked.get(textOfKey(key)) as ConversationRow;
      const receipt = await this.#insert(transaction, conversation, event);
      receipts.push(receipt);
      if (receipt.outcome === 'repeated' || queued.has(conversation.uuid)) continue;
      // The first message of a conversation decides when it is due.
      queued.add(conversation.uuid);
      await queue.add(transaction, conversation, dueAt(receipt));
    }
    return receipts;
  }

  async #insert(
    transaction: Transaction<Tables>,
    conversation: ConversationRow,
    event: MessageEvent,
  ): Promise<StoredReceipt> {
    const { rows, contexts, webhooks } = this.#parts;
    const known = await rows.delivered(transaction, conversation.bot_uuid, event.platform_message_id);
    if (known !== undefined) return { outcome: 'repeated', ...known };
    const row = await rows.insert(transaction, conversation, {
      direction: 'inbound',
      platform_message_id: event.platform_message_id,
      reply_to: null,
      sender_id: event.sender_id,
      sender_name: event.sender_name ?? '',
      message_chain: JSON.stringify(event.message_chain),
      text: textOfChain(event.message_chain),
      state: 'received',
      sent_at: event.sent_at ?? null,
      facts: factsOf(event),
      finished_at: null,
    });
    if (event.context !== undefined) await contexts.add(transaction, row.uuid, event.context);
    const told = await webhooks.tell(transaction, { ...row, conversation_uuid: conversation.uuid });
    return { outcome: 'accepted', conversation_uuid: conversation.uuid, ...row, ...told };
  }
}

function dueAt({ webhook_wait_until: until }: StoredReceipt): number | null {
  return until == null ? null : Date.parse(until);
}

function textOfKey({ bot_uuid, pipeline_uuid, session_type, session_id, thread_id }: ConversationKey): string {
  return JSON.stringify([bot_uuid, pipeline_uuid, session_type, session_id, thread_id]);
}

/** Message context is read only if there is any. */
function factsOf({ facts, context }: MessageEvent): string | null {
  if (context !== undefined) return JSON.stringify({ ...facts, has_context: true });
  return facts === undefined ? null : JSON.stringify(facts);
}
