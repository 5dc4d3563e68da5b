import type { MessageChain, MessageHandle, ParleyError } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { ConversationKey } from '../../core/conversations/conversation.ts';
import type { Delivery, DeliveryOutcome } from '../../core/messages/delivery.ts';
import type {
  Answer,
  ClaimedPart,
  DeliveryLedger,
  DeliveryPlan,
  PostponedDelivery,
  ReopenedDelivery,
  StoredAnswer,
} from '../../core/messages/delivery-ledger.ts';
import type { ClaimedMessage, Message, MessageClaim } from '../../core/messages/message.ts';
import type { MessageOutcome } from '../../core/messages/message-ledger.ts';
import type { MessageRecord } from '../../core/messages/message-trace.ts';
import { now } from '../../lib/clock.ts';
import { storableText } from '../../lib/storable-text.ts';
import type { Database, Tables } from '../database.ts';
import type { LedgerTables } from './ledger-tables.ts';
import { notClaimedError } from './message-claims.ts';
import { keepFiles } from './message-files.ts';
import type { NewMessage } from './message-rows.ts';

type AnswerColumns = Pick<Message, 'message_chain' | 'text' | 'state'>;

/** The outbound messages in the database, and their deliveries. */
export class KyselyDeliveryLedger implements DeliveryLedger {
  readonly #tables: LedgerTables;

  constructor(tables: LedgerTables) {
    this.#tables = tables;
  }

  answerTo(messageUuid: string): Promise<StoredAnswer | null> {
    return this.#answerTo(this.#tables.database, messageUuid);
  }

  beginAnswer(message: ClaimedMessage, partialRemains = false): Promise<Message> {
    const { rows } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      const isStarted = await this.#tables.claims.assertOurs(transaction, message);
      const existing = isStarted ? await rows.answerTo(transaction, message.uuid) : null;
      if (existing === null) {
        return this.#insertAnswer(transaction, message, { message_chain: [], text: '', state: 'writing' });
      }
      if (partialRemains) await rows.rewrite(transaction, { ...existing, reason: 'partial_remains' });
      return existing;
    });
  }

  finishAnswer(
    question: ClaimedMessage,
    answer: Answer,
    record: MessageRecord,
    plan: DeliveryPlan = { begins: true, expires_at: null },
  ): Promise<StoredAnswer> {
    const { claims, deliveries, lifecycle, records } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      const isStarted = await claims.assertOurs(transaction, question);
      const earlier = isStarted ? await this.#answerTo(transaction, question.uuid) : null;
      // Stored before, and perhaps sent: the text stays as it is.
      if (earlier !== null && earlier.message.state !== 'writing') return earlier;
      const { outcome, pieces, state } = answer;
      const columns = { message_chain: pieces.flat(), text: storableText(answer.text), state };
      await keepFiles(transaction, columns.message_chain);
      const message = await (earlier === null
        ? this.#insertAnswer(transaction, question, columns)
        : this.#completeAnswer(transaction, earlier.message, columns));
      const handle = earlier?.handle ?? null;
      const handles = new Map(handle === null ? [] : [[0, handle]]);
      const begun = await deliveries.begin(transaction, message.uuid, pieces, plan, handles);
      await lifecycle.merge(transaction, question, answer.merged);
      await records.write(transaction, question.uuid, record, outcome);
      return { message, deliveries: begun, outcome, handle };
    });
  }

  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message & MessageClaim> {
    const claim = { claimed_by: this.#tables.claims.claimant.id, claim: 1 };
    return this.#tables.transaction(async (transaction) => {
      const conversation = await this.#tables.conversations.lockCurrent(transaction, key);
      const columns: NewMessage = {
        direction: 'outbound',
        platform_message_id: null,
        reply_to: null,
        sender_id: key.bot_uuid,
        sender_name: '',
        message_chain: JSON.stringify(chain),
        text,
        state: 'finished',
        sent_at: null,
        facts: null,
        finished_at: now(),
      };
      const { uuid } = await this.#tables.rows.insert(transaction, conversation, columns, claim);
      await keepFiles(transaction, chain);
      await this.#tables.deliveries.begin(transaction, uuid, [chain], { begins: true, expires_at: null });
      const message = await this.#tables.rows.byUuid(transaction, uuid);
      return { ...message, claim: claim.claim };
    });
  }

  async storeHandle({ answer_uuid, piece, claim }: ClaimedPart, handle: MessageHandle): Promise<void> {
    const { claims, deliveries, prompt } = this.#tables;
    const part = { message_uuid: answer_uuid, piece };
    const by = { claimed: claim.uuid, owner: claims.claimant.id, claim: claim.claim };
    if (!(await deliveries.handles.store(prompt, part, by, handle))) throw notClaimedError();
  }

  detachDelivery({ answer_uuid, piece, claim }: ClaimedPart): Promise<string> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.claims.assertOurs(transaction, claim);
      return this.#tables.deliveries.detach(transaction, answer_uuid, piece);
    });
  }

  beginDelivery({ answer_uuid, piece, claim }: ClaimedPart): Promise<void> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.claims.assertOurs(transaction, claim);
      await this.#tables.deliveries.beginNext(transaction, answer_uuid, piece);
    });
  }

  async settleDelivery(
    { answer_uuid, piece, claim }: ClaimedPart,
    outcome: DeliveryOutcome,
    beginsNext = true,
  ): Promise<void> {
    await this.#tables.transaction(async (transaction) => {
      await this.#tables.claims.assertOurs(transaction, claim);
      await this.#tables.deliveries.end(transaction, answer_uuid, piece, outcome);
      if (beginsNext) await this.#tables.deliveries.beginNext(transaction, answer_uuid, piece + 1);
    });
  }

  postponeDelivery(question: MessageClaim, postponed: PostponedDelivery): Promise<boolean> {
    return this.#tables.transaction(async (transaction) => {
      const conversation = await this.#tables.lifecycle.conversationOf(transaction, question.uuid);
      if (conversation === undefined) return false;
      await this.#tables.conversations.lock(transaction, conversation.uuid);
      if (!(await this.#tables.claims.isOurs(transaction, question))) return false;
      if (!(await this.#tables.lifecycle.release(transaction, question.uuid, postponed.reason, true))) return false;
      await this.#tables.deliveries.postpone(transaction, postponed);
      await this.#tables.queue.putBack(transaction, conversation, Date.parse(postponed.until));
      return true;
    });
  }

  async failDelivered(
    botUuid: string,
    platformMessageId: string,
    { reason, message }: Pick<ParleyError, 'reason' | 'message'>,
  ): Promise<{ outbound: Message; question: Message | null } | null> {
    const { database, conversations, deliveries, lifecycle, rows } = this.#tables;
    const part = await deliveries.sentPart(database, botUuid, platformMessageId);
    if (part === undefined) return null;
    return this.#tables.transaction(async (transaction) => {
      await conversations.lock(transaction, part.conversation_uuid);
      if (!(await deliveries.failSent(transaction, { ...part, reason, error: message }))) return null;
      const outbound = await rows.byUuid(transaction, part.message_uuid);
      const { reply_to } = outbound;
      const isChanged = reply_to !== null && (await lifecycle.fail(transaction, reply_to, reason));
      return { outbound, question: isChanged ? await rows.byUuid(transaction, reply_to) : null };
    });
  }

  deliveriesOf(outbound: Message): Promise<Delivery[]> {
    return this.#tables.deliveries.of(this.#tables.database, outbound);
  }

  async deliveredMessage(messageUuid: string): Promise<Message | null> {
    const answer = await this.#tables.rows.answerTo(this.#tables.database, messageUuid);
    if (answer !== null) return answer;
    const message = await this.#tables.rows.find(this.#tables.database, messageUuid);
    return message?.direction === 'outbound' ? message : null;
  }

  reopenDelivery(outbound: Message, piece: number, expiresAt: string): Promise<ReopenedDelivery> {
    const { uuid, bot_uuid, conversation_uuid, reply_to } = outbound;
    const { claims } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.conversations.lock(transaction, conversation_uuid);
      const parts = await this.#tables.deliveries.of(transaction, outbound);
      const part = parts.find((one) => one.piece === piece);
      const isOpen = parts.some(({ state }) => state === 'pending' || state === 'sending');
      if (part === undefined) return { state: isOpen || outbound.state !== 'writing' ? 'not_found' : 'in_progress' };
      if (isOpen) return { state: 'in_progress' };
      if (part.state === 'sent') return { state: 'delivered' };
      const state = reply_to === null ? ('sending' as const) : ('pending' as const);
      if (reply_to !== null) {
        if (!(await this.#tables.lifecycle.reopen(transaction, reply_to))) return { state: 'in_progress' };
        await this.#tables.queue.add(transaction, { uuid: conversation_uuid, bot_uuid, home: null }, null);
      }
      await this.#tables.deliveries.reopen(transaction, { message_uuid: uuid, piece, state, expires_at: expiresAt });
      return state === 'pending' ? { state } : { state, claim: await claims.take(transaction, uuid) };
    });
  }

  async #answerTo(database: Database, questionUuid: string): Promise<StoredAnswer | null> {
    const { rows, deliveries, records } = this.#tables;
    const message = await rows.answerTo(database, questionUuid);
    if (message === null) return null;
    const parts = await deliveries.of(database, message);
    const outcome = await records.outcome(database, questionUuid);
    const handle = (await deliveries.handles.of(database, message.uuid)).get(0) ?? null;
    return { message, deliveries: parts, outcome: outcome ?? impliedOutcome(message), handle };
  }

  async #completeAnswer(transaction: Transaction<Tables>, started: Message, columns: AnswerColumns): Promise<Message> {
    const message: Message = { ...started, ...columns, reason: null, finished_at: now() };
    await this.#tables.rows.rewrite(transaction, message);
    await this.#tables.deliveries.remove(transaction, message.uuid);
    return message;
  }

  async #insertAnswer(transaction: Transaction<Tables>, question: Message, answer: AnswerColumns): Promise<Message> {
    const { bot_uuid, conversation_uuid } = question;
    const columns = answerColumns(question, answer);
    const row = await this.#tables.rows.insert(transaction, { uuid: conversation_uuid, bot_uuid }, columns);
    return answerMessage(question, answer, { ...row, finished_at: columns.finished_at });
  }
}

/** The columns of an answer that is stored. */
export function answerColumns(question: Message, { message_chain, text, state }: AnswerColumns): NewMessage {
  return {
    direction: 'outbound',
    platform_message_id: null,
    reply_to: question.uuid,
    sender_id: question.bot_uuid,
    sender_name: '',
    message_chain: JSON.stringify(message_chain),
    text,
    state,
    sent_at: null,
    facts: null,
    finished_at: state === 'writing' ? null : now(),
  };
}

/** An answer as it was stored by {@link answerColumns}. */
export function answerMessage(
  question: Message,
  { message_chain, text, state }: AnswerColumns,
  row: Pick<Message, 'uuid' | 'sequence' | 'created_at' | 'finished_at'>,
): Message {
  const { bot_uuid, conversation_uuid, pipeline_uuid, session_type, session_id, thread_id, model_uuid } = question;
  return {
    ...row,
    direction: 'outbound',
    platform_message_id: null,
    reply_to: question.uuid,
    sender_id: bot_uuid,
    sender_name: '',
    text,
    state,
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

/** How the message ends that an answer from before there were traces belongs to. */
function impliedOutcome({ state }: Message): MessageOutcome {
  return state === 'failed' ? { state: 'failed', reason: 'internal' } : { state: 'answered', reason: 'answered' };
}
