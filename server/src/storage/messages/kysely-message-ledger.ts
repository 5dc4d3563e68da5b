import { type MessageEvent, type Reason, textOfChain } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { ClaimableBots } from '../../core/bots/running-bot.ts';
import type { ConversationKey } from '../../core/conversations/conversation.ts';
import type { ClaimedMessage, Message, MessageClaim } from '../../core/messages/message.ts';
import type {
  Arrival,
  MessageEnd,
  MessageLedger,
  MessageOutcome,
  SealedParts,
  StoredReceipt,
} from '../../core/messages/message-ledger.ts';
import type { ConversationRow } from '../conversations/conversation-rows.ts';
import type { Tables } from '../database.ts';
import type { TakesOver } from '../replicas/replica-rows.ts';
import type { LedgerTables } from './ledger-tables.ts';
import { keepFiles } from './message-files.ts';
import type { QueuedConversation } from './message-queue.ts';
import type { NewMessage } from './message-rows.ts';
import { takeOverMessages } from './message-takeover.ts';

/** The inbound messages in the database, and their queue. */
export class KyselyMessageLedger implements MessageLedger, TakesOver {
  readonly #tables: LedgerTables;

  constructor(tables: LedgerTables) {
    this.#tables = tables;
  }

  accept(key: ConversationKey, event: MessageEvent, sealed: SealedParts = {}): Promise<StoredReceipt> {
    const { conversations, queue } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      const conversation = await conversations.lockCurrent(transaction, key);
      const receipt = await this.#insert(transaction, conversation, { key, event, ...sealed });
      if (receipt.outcome === 'accepted')
        await queue.add(transaction, this.#queued(conversation, sealed), dueAt(receipt));
      return receipt;
    });
  }

  acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]> {
    return this.#tables.transaction((transaction) => this.#acceptAll(transaction, arrivals));
  }

  claim(bots: ClaimableBots, limit: number): Promise<ClaimedMessage[]> {
    const { queue, rows, claims } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.lockQueue(transaction);
      const claimed: ClaimedMessage[] = [];
      while (claimed.length < limit) {
        const taken = await queue.take(transaction, claims.claimant.id, bots, limit - claimed.length);
        if (taken.length === 0) break;
        for (const conversationUuid of taken) {
          const message = await rows.begin(transaction, conversationUuid, claims.claimant.id);
          if (message !== null) claimed.push(message);
          else await queue.remove(transaction, conversationUuid);
        }
      }
      return claimed;
    });
  }

  nextDue(since = 0): Promise<number | null> {
    return this.#tables.queue.nextDue(since);
  }

  recover(): Promise<{ messages: number; deliveries: number }> {
    return this.#tables.transaction((transaction) => this.takeOver(transaction));
  }

  /** As {@link recover}, in a transaction. */
  async takeOver(transaction: Transaction<Tables>): Promise<{ messages: number; deliveries: number }> {
    await this.#tables.lockQueue(transaction);
    return takeOverMessages(transaction, this.#tables);
  }

  async release(
    claim: MessageClaim,
    wait: { until: string; reason: Reason } | null,
    { isCounted = true }: { isCounted?: boolean } = {},
  ): Promise<boolean> {
    const dueAt = wait === null ? null : Date.parse(wait.until);
    if (Number.isNaN(dueAt)) throw new Error(`A message cannot wait until ${wait?.until}`);
    return this.#tables.transaction(async (transaction) => {
      const conversation = await this.#tables.lifecycle.conversationOf(transaction, claim.uuid);
      if (conversation === undefined) return false;
      await this.#tables.conversations.lock(transaction, conversation.uuid);
      if (!(await this.#tables.claims.isOurs(transaction, claim))) return false;
      if (!(await this.#tables.lifecycle.release(transaction, claim.uuid, wait?.reason ?? null, isCounted)))
        return false;
      await this.#tables.queue.putBack(transaction, conversation, dueAt);
      return true;
    });
  }

  async reclaim(running: readonly MessageClaim[]): Promise<number> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.lockQueue(transaction);
      const lost = await this.#tables.claims.except(transaction, running);
      for (const { uuid, conversation } of lost) {
        await this.#tables.conversations.lock(transaction, conversation.uuid);
        if (!(await this.#tables.lifecycle.release(transaction, uuid, null, false))) continue;
        await this.#tables.queue.putBack(transaction, conversation, null);
      }
      return lost.length;
    });
  }

  hurry(conversationUuid: string): Promise<void> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.conversations.lock(transaction, conversationUuid);
      await this.#tables.lifecycle.hurry(transaction, conversationUuid);
    });
  }

  async expedite(conversationUuids: readonly string[]): Promise<void> {
    if (conversationUuids.length === 0) return;
    await this.#tables.transaction(async (transaction) => {
      for (const uuid of conversationUuids) await this.#tables.queue.hurry(transaction, uuid);
    });
  }

  waitingBehind(message: Message, limit: number): Promise<Message[]> {
    return this.#tables.rows.waiting(this.#tables.database, message.conversation_uuid, message.sequence, limit);
  }

  async settle(message: ClaimedMessage, intended: MessageOutcome, end: MessageEnd): Promise<MessageOutcome | null> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.conversations.lock(transaction, message.conversation_uuid);
      const outcome = await this.#withLateFailure(transaction, intended, end);
      const { claims, lifecycle } = this.#tables;
      if (!(await lifecycle.end(transaction, message, outcome, claims.claimant.id))) {
        return (await claims.hasEnded(transaction, message, outcome.state)) ? outcome : null;
      }
      await lifecycle.merge(transaction, message, end.merged);
      if (end.answer !== null) {
        const { uuid, piece, delivery } = end.answer;
        await this.#tables.deliveries.end(transaction, uuid, piece, delivery);
      } else {
        const reason = outcome.reason === 'answered' ? null : outcome.reason;
        await this.#tables.rows.removeUnfinishedAnswer(transaction, message.uuid);
        await this.#tables.deliveries.abandon(transaction, message.uuid, reason);
      }
      if (end.record !== null) await this.#tables.records.write(transaction, message.uuid, end.record);
      await lifecycle.next(transaction, message.conversation_uuid);
      return outcome;
    });
  }

  stopWaiting(
    conversationUuid: string,
    beforeSequence: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.lockQueue(transaction);
      await this.#tables.conversations.lock(transaction, conversationUuid);
      const stopped = await this.#tables.lifecycle.stopWaiting(transaction, conversationUuid, beforeSequence, reason);
      for (const { uuid } of stopped) {
        // One that waits for its platform has a complete answer, which is not sent any more.
        await this.#tables.rows.removeUnfinishedAnswer(transaction, uuid);
        await this.#tables.deliveries.abandon(transaction, uuid, reason);
        await this.#tables.deliveries.abandonReplies(transaction, uuid, reason);
      }
      return stopped;
    });
  }

  #queued({ uuid, bot_uuid }: ConversationRow, { isAwaited }: SealedParts): QueuedConversation {
    return { uuid, bot_uuid, home: this.#tables.claims.homeOf(isAwaited) };
  }

  /** The platform may have reported the failure of a part while those behind it were sent. */
  async #withLateFailure(
    transaction: Transaction<Tables>,
    outcome: MessageOutcome,
    { answer }: MessageEnd,
  ): Promise<MessageOutcome> {
    const isSent = outcome.state === 'answered' || outcome.state === 'uncertain';
    if (!isSent || answer === null || answer.piece === 0) return outcome;
    const part = { message_uuid: answer.uuid, piece: answer.piece };
    const reason = await this.#tables.deliveries.failureBefore(transaction, part);
    return reason === undefined ? outcome : { state: 'failed', reason };
  }

  /** The conversations are locked in an order of their own, so that two batches at once never wait for each other. */
  async #acceptAll(transaction: Transaction<Tables>, arrivals: readonly Arrival[]): Promise<StoredReceipt[]> {
    const { conversations, queue } = this.#tables;
    const keys = new Map(arrivals.map(({ key }) => [textOfKey(key), key]));
    const locked = new Map<string, ConversationRow>();
    for (const [text, key] of [...keys].sort(([left], [right]) => (left < right ? -1 : 1))) {
      locked.set(text, await conversations.lockCurrent(transaction, key));
    }
    const receipts: StoredReceipt[] = [];
    const queued = new Set<string>();
    for (const arrival of arrivals) {
      const conversation = locked.get(textOfKey(arrival.key)) as ConversationRow;
      const receipt = await this.#insert(transaction, conversation, arrival);
      receipts.push(receipt);
      if (receipt.outcome === 'repeated' || queued.has(conversation.uuid)) continue;
      // The first message of a conversation decides when it is due.
      queued.add(conversation.uuid);
      await queue.add(transaction, this.#queued(conversation, arrival), dueAt(receipt));
    }
    return receipts;
  }

  async #insert(
    transaction: Transaction<Tables>,
    conversation: ConversationRow,
    { event, replyContext, media = [], state, isAwaited }: Arrival,
  ): Promise<StoredReceipt> {
    const { rows, contexts, replyContexts, mediaReferences, states, webhooks, claims } = this.#tables;
    if (state) await states.writeIn(transaction, state);
    const known = await rows.delivered(transaction, conversation.bot_uuid, event.platform_message_id);
    if (known !== undefined) return { outcome: 'repeated', ...known };
    const row = await rows.insert(transaction, conversation, inboundColumns(event, claims.homeOf(isAwaited)));
    await keepFiles(transaction, event.message_chain);
    if (event.context !== undefined) await contexts.add(transaction, row.uuid, event.context);
    if (replyContext) await replyContexts.add(transaction, row.uuid, replyContext);
    if (media.length > 0) await mediaReferences.add(transaction, row.uuid, media);
    const told = await webhooks.tell(transaction, { ...row, conversation_uuid: conversation.uuid });
    return { outcome: 'accepted', conversation_uuid: conversation.uuid, ...row, ...told };
  }
}

/** The columns of a message that arrives. */
export function inboundColumns(event: MessageEvent, home: string | null): NewMessage {
  return {
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
    home,
  };
}

function dueAt({ webhook_wait_until: until }: StoredReceipt): number | null {
  return until == null ? null : Date.parse(until);
}

/** Tells keys of conversations apart. */
export function textOfKey({ bot_uuid, pipeline_uuid, session_type, session_id, thread_id }: ConversationKey): string {
  return JSON.stringify([bot_uuid, pipeline_uuid, session_type, session_id, thread_id]);
}

/** Message context is read only if there is any. */
function factsOf({ facts, context }: MessageEvent): string | null {
  if (context !== undefined) return JSON.stringify({ ...facts, has_context: true });
  return facts === undefined ? null : JSON.stringify(facts);
}
