import type { CancellationStore, CancelRequest } from '../../core/messages/cancellations.ts';
import type { CancelledAnswer } from '../../core/replicas/due-work.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import type { Claimant } from '../replicas/claimant.ts';

/** How long a cancellation is kept whose answer was not seen to end, seconds. */
const retention = 24 * 3600;

/** Cancellations are rows until the answer has ended, as the replica that writes it may die before. */
export class KyselyCancellationStore implements CancellationStore {
  readonly #database: Database;
  readonly #claimant: Claimant;

  constructor(database: Database, claimant: Claimant) {
    this.#database = database;
    this.#claimant = claimant;
  }

  async request(
    conversation: string,
    { before, reason, sender_id }: CancelRequest,
  ): Promise<(CancelledAnswer & { replica: string | null }) | null> {
    const { id: own } = this.#claimant;
    let unfinished = this.#database
      .selectFrom('messages')
      .select(['sequence', 'claimed_by'])
      .where('conversation_uuid', '=', conversation)
      .where('sequence', '<', before)
      .where('state', 'in', sender_id === undefined ? ['received', 'processing'] : ['processing'])
      .where(({ or, eb }) => or([eb('claimed_by', 'is', null), eb('claimed_by', '!=', own)]));
    if (sender_id !== undefined) unfinished = unfinished.where('sender_id', '=', sender_id);
    const message = await unfinished.orderBy('sequence').limit(1).executeTakeFirst();
    if (message === undefined) return null;
    const end = sender_id === undefined ? before : message.sequence + 1;
    await this.#database
      .insertInto('answer_cancellations')
      .values({ conversation_uuid: conversation, before_sequence: end, reason, requested_at: now() })
      .onConflict((conflict) =>
        conflict
          .column('conversation_uuid')
          .doUpdateSet(({ ref }) => ({
            before_sequence: ref('excluded.before_sequence'),
            reason: ref('excluded.reason'),
            requested_at: ref('excluded.requested_at'),
          }))
          .whereRef('answer_cancellations.before_sequence', '<', 'excluded.before_sequence'),
      )
      .execute();
    return { conversation, before: end, reason, replica: message.claimed_by };
  }

  async forget({ conversation, before }: Pick<CancelledAnswer, 'conversation' | 'before'>): Promise<void> {
    await this.#database
      .deleteFrom('answer_cancellations')
      .where('conversation_uuid', '=', conversation)
      .where('before_sequence', '<=', before)
      .execute();
  }
}

/** Forgets cancellations whose answers were not seen to end. @param limit of those forgotten @returns how many it forgot */
export async function forgetCancellations(database: Database, limit: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('answer_cancellations')
    .where('conversation_uuid', 'in', ({ selectFrom }) =>
      selectFrom('answer_cancellations')
        .select('conversation_uuid')
        .where('requested_at', '<', secondsFromNow(-retention))
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
