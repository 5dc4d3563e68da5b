import type { MessageChain, MessageHandle } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { Delivery } from '../../core/messages/delivery.ts';
import type { Answer, DeliveryPlan, StoredAnswer } from '../../core/messages/delivery-ledger.ts';
import type { Message } from '../../core/messages/message.ts';
import type { MessageOutcome } from '../../core/messages/message-ledger.ts';
import { now } from '../../lib/clock.ts';
import { storableText } from '../../lib/storable-text.ts';
import type { Database, Tables } from '../database.ts';
import type { Deliveries } from './deliveries.ts';
import type { MessageRecords } from './message-records.ts';
import type { MessageRows } from './message-rows.ts';

/** The rows of answers, with everything that is sent of them. */
export class Answers {
  readonly #rows: MessageRows;
  readonly #deliveries: Deliveries;
  readonly #records: MessageRecords;

  constructor(rows: MessageRows, deliveries: Deliveries, records: MessageRecords) {
    this.#rows = rows;
    this.#deliveries = deliveries;
    this.#records = records;
  }

  async to(database: Database, questionUuid: string): Promise<StoredAnswer | null> {
    const message = await this.#rows.answerTo(database, questionUuid);
    if (message === null) return null;
    const deliveries = await this.#deliveries.of(database, message);
    const outcome = await this.#records.outcome(database, questionUuid);
    const handle = (await this.#deliveries.handles.of(database, message.uuid)).get(0) ?? null;
    return { message, deliveries, outcome: outcome ?? impliedOutcome(message), handle };
  }

  /** The row of an answer that is to grow. */
  async begin(transaction: Transaction<Tables>, question: Message, partialRemains: boolean): Promise<Message> {
    const existing = await this.#rows.answerTo(transaction, question.uuid);
    if (existing === null) {
      return this.#insert(transaction, question, { message_chain: [], text: '', state: 'writing' });
    }
    if (partialRemains) await this.#rows.rewrite(transaction, { ...existing, reason: 'partial_remains' });
    return existing;
  }

  /** The row and the deliveries of a complete answer. */
  async finish(
    transaction: Transaction<Tables>,
    question: Message,
    earlier: StoredAnswer | null,
    { pieces, text, state }: Answer,
    plan: DeliveryPlan,
  ): Promise<{ message: Message; deliveries: Delivery[] }> {
    const columns = { message_chain: pieces.flat(), text: storableText(text), state };
    let message: Message;
    const handles = new Map<number, MessageHandle>();
    if (earlier === null) {
      message = await this.#insert(transaction, question, columns);
    } else {
      if (earlier.handle !== null) handles.set(0, earlier.handle);
      message = { ...earlier.message, ...columns, reason: null, finished_at: now() };
      await this.#rows.rewrite(transaction, message);
      await this.#deliveries.remove(transaction, message.uuid);
    }
    const deliveries = await this.#deliveries.begin(transaction, message.uuid, pieces, plan, handles);
    return { message, deliveries };
  }

  async #insert(
    transaction: Transaction<Tables>,
    question: Message,
    { message_chain, text, state }: { message_chain: MessageChain; text: string; state: Message['state'] },
  ): Promise<Message> {
    const { bot_uuid, conversation_uuid, pipeline_uuid, session_type, session_id, thread_id, model_uuid } = question;
    const finished_at = state === 'writing' ? null : now();
    const columns = {
      direction: 'outbound',
      platform_message_id: null,
      reply_to: question.uuid,
      sender_id: bot_uuid,
      sender_name: '',
      text,
      state,
      finished_at,
    } as const;
    const row = await this.#rows.insert(
      transaction,
      { uuid: conversation_uuid, bot_uuid },
      { ...columns, message_chain: JSON.stringify(message_chain), sent_at: null, facts: null },
    );
    return {
      ...columns,
      ...row,
      bot_uuid,
      conversation_uuid,
      pipeline_uuid,
      session_type,
      session_id,
      thread_id,
      model_uuid,
      facts: {},
      message_chain,
      reason: null,
      merged_into: null,
      attempts: 0,
      webhook_wait_until: null,
    };
  }
}

/** How the message ends that an answer from before there were traces belongs to. */
function impliedOutcome({ state }: Message): MessageOutcome {
  return state === 'failed' ? { state: 'failed', reason: 'internal' } : { state: 'answered', reason: 'answered' };
}
