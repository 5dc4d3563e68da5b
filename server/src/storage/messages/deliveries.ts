import type { MessageChain, MessageHandle, Reason } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Delivery, DeliveryOutcome, DeliveryState } from '../../core/messages/delivery.ts';
import type { DeliveryPlan, PostponedDelivery } from '../../core/messages/delivery-ledger.ts';
import type { Message } from '../../core/messages/message.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import { Statement } from '../statement.ts';
import { DeliveryHandles } from './delivery-handles.ts';

type DeliveryRow = Selectable<Tables['deliveries']>;
type Piece = Pick<DeliveryRow, 'message_uuid' | 'piece'>;

/** The condition of the index over open deliveries, word for word. */
const isOpen = sql<boolean>`state in ('pending', 'sending')`;

/** The rows of deliveries. */
export class Deliveries {
  readonly #of: Statement<DeliveryRow, Pick<Piece, 'message_uuid'>>;
  readonly #insert: Statement<
    unknown,
    Piece & Pick<DeliveryRow, 'message_chain' | 'state' | 'idempotency_token' | 'expires_at'> & { timestamp: string }
  >;
  readonly #remove: Statement<unknown, Pick<Piece, 'message_uuid'>>;
  readonly #end: Statement<unknown, Piece & DeliveryOutcome & { timestamp: string }>;
  readonly #endEarly: Statement<unknown, Piece & DeliveryOutcome & { owner: string; timestamp: string }>;
  readonly #next: Statement<unknown, Piece & { timestamp: string }>;
  readonly #postpone: Statement<unknown, Piece & Pick<DeliveryRow, 'reason' | 'error'> & { timestamp: string }>;
  readonly #reopen: Statement<unknown, Piece & Pick<DeliveryRow, 'state' | 'expires_at'> & { timestamp: string }>;
  readonly #abandon: Statement<unknown, { message_uuid: string; reason: string | null; timestamp: string }>;

  readonly handles: DeliveryHandles;

  constructor(database: Database) {
    this.handles = new DeliveryHandles(database);
    this.#of = new Statement(database, ({ message_uuid }) =>
      database.selectFrom('deliveries').selectAll().where('message_uuid', '=', message_uuid).orderBy('piece'),
    );
    this.#insert = new Statement(database, (values) =>
      database.insertInto('deliveries').values({
        message_uuid: values.message_uuid,
        piece: values.piece,
        message_chain: values.message_chain,
        state: values.state,
        idempotency_token: values.idempotency_token,
        platform_message_id: null,
        reason: null,
        error: null,
        expires_at: values.expires_at,
        created_at: values.timestamp,
        updated_at: values.timestamp,
      }),
    );
    this.#postpone = new Statement(database, ({ message_uuid, piece, reason, error, timestamp }) =>
      database
        .updateTable('deliveries')
        .set({ state: 'pending', reason, error, updated_at: timestamp })
        .where('message_uuid', '=', message_uuid)
        .where('piece', '=', piece)
        .where(isOpen),
    );
    this.#reopen = new Statement(database, ({ message_uuid, piece, state, expires_at, timestamp }) =>
      database
        .updateTable('deliveries')
        .set({ state, reason: null, error: null, expires_at, updated_at: timestamp })
        .where('message_uuid', '=', message_uuid)
        .where('piece', '>=', piece)
        .where('state', 'in', ['failed', 'uncertain']),
    );
    this.#remove = new Statement(database, ({ message_uuid }) =>
      database.deleteFrom('deliveries').where('message_uuid', '=', message_uuid),
    );
    this.#end = new Statement(
      database,
      ({ message_uuid, piece, state, reason, error, platform_message_id, timestamp }) =>
        database
          .updateTable('deliveries')
          .set({ state, reason, error, platform_message_id, updated_at: timestamp })
          .where('message_uuid', '=', message_uuid)
          .where('piece', '=', piece),
    );
    this.#endEarly = new Statement(
      database,
      ({ message_uuid, piece, owner, state, reason, error, platform_message_id, timestamp }) =>
        database
          .updateTable('deliveries')
          .set({ state, reason, error, platform_message_id, updated_at: timestamp })
          .where('message_uuid', '=', message_uuid)
          .where('piece', '=', piece)
          .where('state', '=', 'sending')
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('messages as answer')
                .innerJoin('messages as question', 'question.uuid', 'answer.reply_to')
                .select('answer.uuid')
                .where('answer.uuid', '=', message_uuid)
                .where('question.claimed_by', '=', owner),
            ),
          ),
    );
    this.#next = new Statement(database, ({ message_uuid, piece, timestamp }) =>
      database
        .updateTable('deliveries')
        .set({ state: 'sending', updated_at: timestamp })
        .where('message_uuid', '=', message_uuid)
        .where('piece', '=', piece)
        .where('state', '=', 'pending'),
    );
    this.#abandon = new Statement(database, ({ message_uuid, reason, timestamp }) =>
      database
        .updateTable('deliveries')
        .set({
          state: sql<string>`case state when 'sending' then 'uncertain' else 'failed' end`,
          reason,
          updated_at: timestamp,
        })
        .where('message_uuid', '=', ({ selectFrom }) =>
          selectFrom('messages').select('uuid').where('reply_to', '=', message_uuid),
        )
        .where(isOpen),
    );
  }

  async of(database: Database, message: Message): Promise<Delivery[]> {
    const rows = await this.#of.all(database, { message_uuid: message.uuid });
    const handles = await this.handles.of(database, message.uuid);
    return rows.map((row) => toDelivery(row, message, handles.get(row.piece) ?? null));
  }

  /**
   * A delivery for each part.
   * @param handles of parts that were already shown
   */
  async begin(
    transaction: Transaction<Tables>,
    messageUuid: string,
    pieces: readonly MessageChain[],
    { begins, expires_at }: DeliveryPlan,
    handles: ReadonlyMap<number, MessageHandle> = new Map(),
  ): Promise<Delivery[]> {
    const timestamp = now();
    const deliveries = pieces.map(
      (message_chain, piece): Delivery => ({
        message_uuid: messageUuid,
        piece,
        message_chain,
        state: piece === 0 && begins ? 'sending' : 'pending',
        idempotency_token: piece === 0 ? messageUuid : `${messageUuid}.${piece}`,
        platform_message_id: null,
        reason: null,
        error: null,
        expires_at,
        handle: handles.get(piece) ?? null,
        created_at: timestamp,
        updated_at: timestamp,
      }),
    );
    for (const delivery of deliveries) {
      // A single part is the message itself.
      const chain = pieces.length === 1 ? null : JSON.stringify(delivery.message_chain);
      await this.#insert.run(transaction, { ...delivery, message_chain: chain, timestamp });
    }
    return deliveries;
  }

  /** Removes the deliveries of an earlier attempt. */
  async remove(transaction: Transaction<Tables>, messageUuid: string): Promise<void> {
    await this.#remove.run(transaction, { message_uuid: messageUuid });
  }

  async end(database: Database, messageUuid: string, piece: number, outcome: DeliveryOutcome): Promise<void> {
    await this.#end.run(database, { message_uuid: messageUuid, piece, ...outcome, timestamp: now() });
  }

  /**
   * As {@link end}, for a part that is being sent by the process that `owner` names; of others, nothing changes. One statement
   * without a transaction.
   */
  async endEarly(
    database: Database,
    owner: string,
    { uuid, piece, delivery }: { uuid: string; piece: number; delivery: DeliveryOutcome },
  ): Promise<void> {
    await this.#endEarly.run(database, { message_uuid: uuid, piece, owner, ...delivery, timestamp: now() });
  }

  /** A part that could not be sent for now waits for another attempt. */
  async postpone(
    transaction: Transaction<Tables>,
    { answer_uuid, piece, reason, error }: PostponedDelivery,
  ): Promise<void> {
    await this.#postpone.run(transaction, { message_uuid: answer_uuid, piece, reason, error, timestamp: now() });
  }

  /** Failed and uncertain parts, from one on, are sent again. */
  async reopen(
    transaction: Transaction<Tables>,
    part: Piece & Pick<DeliveryRow, 'state' | 'expires_at'>,
  ): Promise<void> {
    await this.#reopen.run(transaction, { ...part, timestamp: now() });
  }

  /** Starts a part that waited for the previous one or for a retry. */
  async beginNext(database: Database, messageUuid: string, piece: number): Promise<void> {
    await this.#next.run(database, { message_uuid: messageUuid, piece, timestamp: now() });
  }

  /**
   * The message that was answered has ended, so the open parts of its answer will not be sent. The outcome of a part
   * that was being sent is unknown.
   */
  async abandon(transaction: Transaction<Tables>, messageUuid: string, reason: Reason | null): Promise<void> {
    await this.#abandon.run(transaction, { message_uuid: messageUuid, reason, timestamp: now() });
  }

  /** Unsolicited messages that were being sent when the process died may have arrived. @returns how many deliveries */
  async markUnsolicitedUncertain(transaction: Transaction<Tables>): Promise<number> {
    const { numUpdatedRows } = await transaction
      .updateTable('deliveries')
      .set({ state: 'uncertain', reason: 'interrupted', updated_at: now() })
      .where(isOpen)
      .where('state', '=', 'sending')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('messages')
            .select('uuid')
            .whereRef('messages.uuid', '=', 'deliveries.message_uuid')
            .where('messages.reply_to', 'is', null),
        ),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }
}

function toDelivery(row: DeliveryRow, message: Message, handle: MessageHandle | null): Delivery {
  return {
    ...row,
    handle,
    message_chain: row.message_chain === null ? message.message_chain : (JSON.parse(row.message_chain) as MessageChain),
    state: row.state as DeliveryState,
    reason: row.reason as Reason | null,
  };
}
