import type { DueWork } from '../../core/replicas/due-work.ts';

/*
 * What a beat reads beside replicas, leases and versions, so that nothing relies on notices of other replicas: each part by an
 * index, and all of it little while there is nothing to do.
 */

/** Work that is due for less than this may just be taken, milliseconds. */
const grace = 500;

const present = `cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
const dueDelivery = (attempts: string) => `exists (
  select from webhook_deliveries as due
  where due.webhook_id = webhooks.id and due.due_at is not null and due.attempts ${attempts}
    and due.due_at <= ${present} - ${grace} and due.claimed_by is null)`;

/** Whether there is work of each kind, for any replica. */
const due: Record<DueWork, string> = {
  messages: `exists (select from queue where is_running = 0 and due_at <= ${present} - ${grace})`,
  webhooks: `exists (
    select from webhooks
    where enabled = 1 and coalesce(paused_until, 0) <= ${present} and (${dueDelivery('= 0')} or ${dueDelivery('> 0')}))`,
  documents: `exists (select from knowledge_documents where stage = 'queued' and claimed_by is null)
    or exists (select from knowledge_collections where state = 'building')`,
  alert_notices: `exists (select from alert_notices where due_at <= ${present})`,
};

/** What {@link beatReads} answers. */
export interface BeatReads {
  due: Record<DueWork, boolean>;
  /** Answers that this replica writes and should not. */
  cancelled_answers: { conversation: string; before: number; reason: string }[];
  /** Tasks that this replica runs and should end. */
  cancelled_tasks: number[];
}

/** Columns of the statement of a beat, whose first value is the id of the replica. */
export const beatReads = `
    json_build_object(${Object.entries(due).map(([work, isDue]) => `'${work}', ${isDue}`)}) as due,
    (select coalesce(json_agg(json_build_object(
        'conversation', conversation_uuid, 'before', before_sequence, 'reason', reason)), '[]')
      from answer_cancellations as cancelled
      where exists (
        select from messages
        where conversation_uuid = cancelled.conversation_uuid and sequence < cancelled.before_sequence
          and state = 'processing' and claimed_by = $1)) as cancelled_answers,
    (select coalesce(json_agg(id), '[]') from tasks
      where claimed_by = $1 and state = 'PENDING' and cancel_requested_at is not null) as cancelled_tasks`;
