import type { DeliveryOutcome } from '../../../core/messages/delivery.ts';
import type { Answer, ClaimedPart, DeliveryPlan, StoredAnswer } from '../../../core/messages/delivery-ledger.ts';
import type { ClaimedMessage, Message } from '../../../core/messages/message.ts';
import type { MessageRecord } from '../../../core/messages/message-trace.ts';
import { KyselyDeliveryLedger } from '../kysely-delivery-ledger.ts';
import { textOfKey } from '../kysely-message-ledger.ts';
import type { LedgerTables } from '../ledger-tables.ts';
import { hasFiles } from '../message-files.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { EarlyResults } from './early-results.ts';
import type { LedgerOperation } from './ledger-batch.ts';
import { within } from './within.ts';

/** The outbound messages in a PostgreSQL database: what every answer passes is written in batches. */
export class PostgresDeliveryLedger extends KyselyDeliveryLedger {
  readonly #tables: LedgerTables;
  readonly #writer: BatchWriter<LedgerOperation>;
  readonly #early: EarlyResults;

  constructor(tables: LedgerTables, writer: BatchWriter<LedgerOperation>, early: EarlyResults) {
    super(tables);
    this.#tables = tables;
    this.#writer = writer;
    this.#early = early;
  }

  override async beginAnswer(message: ClaimedMessage, partialRemains = false): Promise<Message> {
    return this.#alone([textOfKey(message), message.uuid], (ledger) => ledger.beginAnswer(message, partialRemains));
  }

  override async finishAnswer(
    question: ClaimedMessage,
    answer: Answer,
    record: MessageRecord,
    plan: DeliveryPlan = { begins: true, expires_at: null },
  ): Promise<StoredAnswer> {
    if (hasFiles(answer.pieces.flat())) {
      return this.#alone([textOfKey(question), question.uuid], (ledger) =>
        ledger.finishAnswer(question, answer, record, plan),
      );
    }
    const stored = await this.#writer.add({
      kind: 'finish',
      company: 'turn',
      keys: [textOfKey(question), question.uuid],
      size: answer.text.length + 2 * JSON.stringify(answer.pieces).length + JSON.stringify(record).length,
      question,
      answer,
      record,
      plan,
      again: (transaction) =>
        new KyselyDeliveryLedger(within(this.#tables, transaction)).finishAnswer(question, answer, record, plan),
    });
    return stored as StoredAnswer;
  }

  override beginDelivery(part: ClaimedPart): Promise<void> {
    return this.#alone([part.answer_uuid], (ledger) => ledger.beginDelivery(part));
  }

  override async settleDelivery(part: ClaimedPart, outcome: DeliveryOutcome, beginsNext = true): Promise<void> {
    const { answer_uuid: uuid, piece, claim } = part;
    const settled = this.#alone([uuid], (ledger) => ledger.settleDelivery(part, outcome, beginsNext));
    await this.#early.with({ uuid, piece, delivery: outcome }, claim, settled);
  }

  /** Carries out an operation by its own statements, in the transaction of a batch. */
  async #alone<Result>(
    keys: readonly string[],
    work: (ledger: KyselyDeliveryLedger) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.#writer.add({
      kind: 'other',
      company: 'alone',
      keys,
      size: 0,
      work: (transaction) => work(new KyselyDeliveryLedger(within(this.#tables, transaction))),
    });
    return result as Result;
  }
}
