import type { MessageChain, MessageHandle, Reason } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Delivery, DeliveryOutcome, DeliveryState } from '../../core/messages/delivery.ts';
import type { DeliveryPlan, PostponedDelivery } from '../../core/messages/delivery-ledger.ts';
import type { Message } from '../../core/messages/message.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { columnsOf } from '../table-columns.ts';
import { DeliveryHandles } from './delivery-handles.ts';

type DeliveryRow = Selectable<Tables['deliveries']>;
type Piece = Pick<DeliveryRow, 'message_uuid' | 'piece'>;
type SentPart = Pick<DeliveryRow, 'message_uuid' | 'piece' | 'updated_at'> & { conversation_uuid: string };

/** The condition of the index over open deliveries, word for word. */
export const isOpen = sql<boolean>`state in ('pending', 'sending')`;

/** The rows of deliveries. */
export class Deliveries {
  readonly #of: PreparedQuery<DeliveryRow, Pick<Piece, 'message_uuid'>>;
  readonly #insert: PreparedQuery<
    unknown,
    Piece & Pick<DeliveryRow, 'message_chain' | 'state' | 'idempotency_token' | 'expires_at'> & { timestamp: string }
  >;
  readonly #remove: PreparedQuery<unknown, Pick<Piece, 'message_uuid'>>;
  readonly #end: PreparedQuery<unknown, Piece & DeliveryOutcome & { timestamp: string }>;
  readonly #next: PreparedQuery<unknown, Piece & { timestamp: string }>;
  readonly #postpone: PreparedQuery<
    unknown,
    Piece & Pick<DeliveryRow, 'reason' | 'error' | 'unconfirmed_since'> & { timestamp: string }
  >;
  readonly #reopen: PreparedQuery<unknown, Piece & Pick<DeliveryRow, 'state' | 'expires_at'> & { timestamp: string }>;
  readonly #abandon: PreparedQuery<unknown, Pick<DeliveryRow, 'message_uuid' | 'reason'> & { timestamp: string }>;
  readonly #sentParts: PreparedQuery<SentPart, { bot_uuid: string; platform_message_id: string }>;
  readonly #failSent: PreparedQuery<unknown, Piece & Pick<DeliveryRow, 'reason' | 'error'> & { timestamp: string }>;
  readonly #failedBefore: PreparedQuery<Pick<DeliveryRow, 'reason'>, Piece>;
  readonly #renew: PreparedQuery<unknown, Piece & Pick<DeliveryRow, 'idempotency_token'>>;
  readonly handles: DeliveryHandles;

  constructor(database: Database) {
    this.handles = new DeliveryHandles(database);
    this.#of = new PreparedQuery(database, (value) =>
      database
        .selectFrom('deliveries')
        .select(columnsOf('deliveries'))
        .where('message_uuid', '=', value('message_uuid'))
        .orderBy('piece'),
    );
    this.#insert = new PreparedQuery(database, (value) =>
      database.insertInto('deliveries').values({
        message_uuid: value('message_uuid'),
        piece: value('piece'),
        message_chain: value('message_chain'),
        state: value('state'),
        idempotency_token: value('idempotency_token'),
        platform_message_id: null,
        reason: null,
        error: null,
        expires_at: value('expires_at'),
        created_at: value('timestamp'),
        updated_at: value('timestamp'),
      }),
    );
    this.#postpone = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({
          state: 'pending',
          reason: value('reason'),
          error: value('error'),
          unconfirmed_since: value('unconfirmed_since'),
          updated_at: value('timestamp'),
        })
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '=', value('piece'))
        .where(isOpen),
    );
    this.#reopen = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({
          state: value('state'),
          reason: null,
          error: null,
          // Whoever retries it accepts that it may appear twice.
          unconfirmed_since: null,
          expires_at: value('expires_at'),
          updated_at: value('timestamp'),
        })
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '>=', value('piece'))
        .where('state', 'in', ['failed', 'uncertain']),
    );
    this.#remove = new PreparedQuery(database, (value) =>
      database.deleteFrom('deliveries').where('message_uuid', '=', value('message_uuid')),
    );
    this.#end = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({
          state: value('state'),
          reason: value('reason'),
          error: value('error'),
          platform_message_id: value('platform_message_id'),
          updated_at: value('timestamp'),
        })
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '=', value('piece')),
    );
    this.#next = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({ state: 'sending', updated_at: value('timestamp') })
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '=', value('piece'))
        .where('state', '=', 'pending'),
    );
    this.#sentParts = new PreparedQuery(database, (value) =>
      database
        .selectFrom('deliveries')
        .innerJoin('messages', 'messages.uuid', 'deliveries.message_uuid')
        .select(['deliveries.message_uuid', 'deliveries.piece', 'deliveries.updated_at', 'messages.conversation_uuid'])
        .where('deliveries.platform_message_id', '=', value('platform_message_id'))
        .where('deliveries.state', '=', 'sent')
        .where('messages.bot_uuid', '=', value('bot_uuid')),
    );
    this.#failSent = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({ state: 'failed', reason: value('reason'), error: value('error'), updated_at: value('timestamp') })
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '=', value('piece'))
        .where('state', '=', 'sent'),
    );
    this.#failedBefore = new PreparedQuery(database, (value) =>
      database
        .selectFrom('deliveries')
        .select('reason')
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '<', value('piece'))
        .where('state', '=', 'failed')
        .orderBy('piece')
        .limit(sql.lit(1)),
    );
    this.#renew = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({ idempotency_token: value('idempotency_token'), unconfirmed_since: null })
        .where('message_uuid', '=', value('message_uuid'))
        .where('piece', '=', value('piece')),
    );
    this.#abandon = new PreparedQuery(database, (value) =>
      database
        .updateTable('deliveries')
        .set({
          state: sql<DeliveryState>`case state when 'sending' then 'uncertain' else 'failed' end`,
          reason: value('reason'),
          updated_at: value('timestamp'),
        })
        .where('message_uuid', '=', ({ selectFrom }) =>
          selectFrom('messages').select('uuid').where('reply_to', '=', value('message_uuid')),
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
    plan: DeliveryPlan,
    handles: ReadonlyMap<number, MessageHandle> = new Map(),
  ): Promise<Delivery[]> {
    const deliveries = newDeliveries(messageUuid, pieces, plan, handles);
    for (const delivery of deliveries) {
      const message_chain = storedChain(delivery, pieces.length);
      await this.#insert.run(transaction, { ...delivery, message_chain, timestamp: delivery.created_at });
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

  /** Forgets what the platform knows of a part. @returns its new token */
  async detach(transaction: Transaction<Tables>, messageUuid: string, piece: number): Promise<string> {
    const part = { message_uuid: messageUuid, piece };
    const idempotency_token = newUuid();
    await this.handles.remove(transaction, part);
    await this.#renew.run(transaction, { ...part, idempotency_token });
    return idempotency_token;
  }

  /** The part that a bot has sent and that the platform knows by an id; the latest, should it use an id again. */
  async sentPart(database: Database, botUuid: string, platformMessageId: string): Promise<SentPart | undefined> {
    const parts = await this.#sentParts.all(database, { bot_uuid: botUuid, platform_message_id: platformMessageId });
    return parts.toSorted((left, right) => (left.updated_at < right.updated_at ? 1 : -1))[0];
  }

  /** A part that was sent has failed all the same. @returns false when it is not `sent` any more */
  async failSent(
    transaction: Transaction<Tables>,
    { message_uuid, piece, reason, error }: Piece & Pick<DeliveryOutcome, 'reason' | 'error'>,
  ): Promise<boolean> {
    const columns = { message_uuid, piece, reason, error, timestamp: now() };
    if ((await this.#failSent.run(transaction, columns)) === 0) return false;
    await this.detach(transaction, message_uuid, piece);
    return true;
  }

  /** The reason of the first part before one that has failed; undefined when none has. */
  async failureBefore(transaction: Transaction<Tables>, part: Piece): Promise<Reason | undefined> {
    const failed = await this.#failedBefore.first(transaction, part);
    return failed && (failed.reason ?? 'platform_failed');
  }

  /** A part that could not be sent for now waits for another attempt. */
  async postpone(
    transaction: Transaction<Tables>,
    {
      answer_uuid,
      piece,
      reason,
      error,
      unconfirmed_since,
    }: Omit<PostponedDelivery, 'reason' | 'until'> & Pick<DeliveryRow, 'reason' | 'error'>,
  ): Promise<void> {
    const columns = { reason, error, unconfirmed_since, timestamp: now() };
    await this.#postpone.run(transaction, { message_uuid: answer_uuid, piece, ...columns });
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

  /** As {@link abandon}, for the replies of plugins. */
  async abandonReplies(transaction: Transaction<Tables>, messageUuid: string, reason: Reason): Promise<void> {
    await transaction
      .updateTable('deliveries')
      .set({
        state: sql<DeliveryState>`case state when 'sending' then 'uncertain' else 'failed' end`,
        reason,
        updated_at: now(),
      })
      .where('message_uuid', 'in', ({ selectFrom }) =>
        selectFrom('plugin_effects')
          .select(sql<string>`reply_uuid`.as('reply_uuid'))
          .where('message_uuid', '=', messageUuid)
          .where('kind', '=', 'reply'),
      )
      .where(isOpen)
      .execute();
  }
}

/** A delivery for each part of a message. */
export function newDeliveries(
  messageUuid: string,
  pieces: readonly MessageChain[],
  { begins, expires_at }: DeliveryPlan,
  handles: ReadonlyMap<number, MessageHandle> = new Map(),
): Delivery[] {
  const timestamp = now();
  return pieces.map((message_chain, piece) => ({
    message_uuid: messageUuid,
    piece,
    message_chain,
    state: piece === 0 && begins ? 'sending' : 'pending',
    idempotency_token: piece === 0 ? messageUuid : `${messageUuid}.${piece}`,
    platform_message_id: null,
    reason: null,
    error: null,
    expires_at,
    unconfirmed_since: null,
    handle: handles.get(piece) ?? null,
    created_at: timestamp,
    updated_at: timestamp,
  }));
}

/** The column of the chain: a single part is the message itself. */
export function storedChain({ message_chain }: Delivery, parts: number): string | null {
  return parts === 1 ? null : JSON.stringify(message_chain);
}

function toDelivery(row: DeliveryRow, message: Message, handle: MessageHandle | null): Delivery {
  return {
    ...row,
    handle,
    message_chain: row.message_chain === null ? message.message_chain : (JSON.parse(row.message_chain) as MessageChain),
  };
}
