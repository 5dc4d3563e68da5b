import type { Message } from '../../../core/messages/message.ts';
import type { ConversationRow } from '../../conversations/conversation-rows.ts';
import { columnsOf } from '../../table-columns.ts';
import type { QueuedConversation } from '../message-queue.ts';
import type { ClaimVersions, JoinedRow } from '../message-rows.ts';
import { BatchStatement, insertStatement } from './batch-statement.ts';

/** What a batch knows of a conversation. */
export type LockedConversation = Pick<
  ConversationRow,
  'uuid' | 'bot_uuid' | 'pipeline_uuid' | 'session_type' | 'session_id' | 'thread_id' | 'is_current' | 'last_sequence'
>;

/** A message that its platform has delivered before. */
export type DeliveredMessage = Pick<Message, 'bot_uuid' | 'uuid' | 'conversation_uuid' | 'sequence' | 'created_at'> & {
  platform_message_id: string;
};

/** An inbound message that an operation is about. */
export type Question = Pick<Message, 'uuid' | 'state'> & {
  claimed_by: string | null;
  claim: number;
  answer_state: Message['state'] | null;
};

const key = 'bot_uuid, pipeline_uuid, session_type, session_id, thread_id';
const keyed = `uuid, ${key}, is_current, last_sequence`;
const queueColumns = ['conversation_uuid', 'bot_uuid', 'is_running', 'due_at', 'home'];
const isUnfinished = `state in ('received', 'processing')`;

/**
 * The statements of a batch: as those of the classes that they are named after, over any number of rows. They are separate
 * because each sees what those before it have waited for.
 */
export const batchStatements = {
  // The lock of LedgerTables.
  lockQueue: new BatchStatement('select pg_advisory_xact_lock($1)'),

  // ConversationRows. All are locked in one order, so that two transactions never wait for each other.
  lockConversations: new BatchStatement<LockedConversation>(`
    select ${keyed} from conversations where uuid = any(array(
      select conversations.uuid from json_populate_recordset(null::conversations, $1) as asked
      join conversations on conversations.is_current = 1 and conversations.bot_uuid = asked.bot_uuid
        and conversations.session_type = asked.session_type and conversations.session_id = asked.session_id
        and conversations.thread_id = asked.thread_id and conversations.pipeline_uuid = asked.pipeline_uuid
      union select json_array_elements_text($2)
    )) order by uuid for no key update`),
  insertConversations: insertStatement<LockedConversation>(
    'conversations',
    ['uuid', ...key.split(', '), 'is_current', 'last_sequence', 'created_at', 'updated_at'],
    `on conflict (bot_uuid, session_type, session_id, thread_id, pipeline_uuid) where is_current = 1
      do update set updated_at = excluded.updated_at returning ${keyed}`,
  ),
  countMessages: new BatchStatement(`
    update conversations set last_sequence = counted.last_sequence, updated_at = counted.updated_at
    from json_populate_recordset(null::conversations, $1) as counted where conversations.uuid = counted.uuid`),

  // MessageRows. A plan that was made while there were few messages is kept: with the order, it is never one that reads all
  // messages of a bot.
  delivered: new BatchStatement<DeliveredMessage>(`
    select found.* from json_populate_recordset(null::messages, $1) as asked cross join lateral (
      select bot_uuid, platform_message_id, uuid, conversation_uuid, sequence, created_at from messages
      where messages.bot_uuid = asked.bot_uuid
        and messages.platform_message_id between asked.platform_message_id and asked.platform_message_id
      order by messages.platform_message_id limit 1
    ) as found`),
  insertMessages: insertStatement('messages', [
    'uuid',
    'bot_uuid',
    'conversation_uuid',
    'direction',
    'platform_message_id',
    'reply_to',
    'sequence',
    'sender_id',
    'sender_name',
    'message_chain',
    'text',
    'state',
    'sent_at',
    'facts',
    'created_at',
    'finished_at',
    'home',
  ]),
  // The positions are found first, each once: planned as a join while few messages are known of, the query for them would
  // run for each pair of a message and a conversation.
  begin: new BatchStatement<JoinedRow & ClaimVersions>(`
    with begun as (
      update messages set state = 'processing', reason = null, attempts = messages.attempts + 1, claimed_by = $2,
        claim = messages.claim + 1
      where position = any(array(
        select (
          select case when state = 'received' then position end from messages as waiting
          where waiting.conversation_uuid = taken.conversation_uuid and ${isUnfinished} order by sequence limit 1
        ) from json_array_elements_text($1) as taken (conversation_uuid)
      )) returning ${columnsOf('messages').join(', ')}
    )
    select begun.*, conversations.pipeline_uuid, conversations.session_type, conversations.session_id,
      conversations.thread_id, conversations.model_uuid, conversations.history_revision,
      (select version from record_version where id = 1) as record_version,
      (select version from extension_version where id = 1) as extension_version
    from begun join conversations on conversations.uuid = begun.conversation_uuid`),
  removeUnfinishedAnswers: new BatchStatement(`
    delete from messages where reply_to = any(array(select json_array_elements_text($1))) and state = 'writing'`),

  // MessageClaims
  questions: new BatchStatement<Question>(`
    select uuid, state, claimed_by, claim,
      (select answer.state from messages as answer where answer.reply_to = messages.uuid) as answer_state
    from messages where uuid = any(array(select json_array_elements_text($1))) order by uuid for no key update`),

  // MessageLifecycle
  conversationsOf: new BatchStatement<QueuedConversation & { message_uuid: string }>(`
    select uuid as message_uuid, conversation_uuid as uuid, bot_uuid, home from messages
    where uuid = any(array(select json_array_elements_text($1)))`),
  end: new BatchStatement(`
    update messages
    set state = ended.state, reason = ended.reason, finished_at = ended.finished_at, claimed_by = null
    from json_populate_recordset(null::messages, $1) as ended where messages.uuid = ended.uuid`),
  release: new BatchStatement(`
    update messages set state = 'received', reason = released.reason, claimed_by = null,
      attempts = messages.attempts - case when exists (
        select 1 from messages as answer where answer.reply_to = messages.uuid
      ) then 0 else released.attempts end
    from json_populate_recordset(null::messages, $1) as released where messages.uuid = released.uuid`),
  merge: new BatchStatement(`
    update messages
    set state = 'stopped', reason = 'merged', merged_into = merged.merged_into, finished_at = merged.finished_at
    from json_populate_recordset(null::messages, $1) as merged
    where messages.uuid = merged.uuid and messages.conversation_uuid = merged.conversation_uuid
      and messages.state = 'received'`),

  // Deliveries
  insertDeliveries: insertStatement('deliveries', [
    'message_uuid',
    'piece',
    'message_chain',
    'state',
    'idempotency_token',
    'expires_at',
    'created_at',
    'updated_at',
  ]),
  endDeliveries: new BatchStatement(`
    update deliveries set state = ended.state, reason = ended.reason, error = ended.error,
      platform_message_id = ended.platform_message_id, updated_at = ended.updated_at
    from json_populate_recordset(null::deliveries, $1) as ended
    where deliveries.message_uuid = ended.message_uuid and deliveries.piece = ended.piece`),
  failuresBefore: new BatchStatement<Pick<Message, 'reason'> & { message_uuid: string }>(`
    select distinct on (deliveries.message_uuid) deliveries.message_uuid, deliveries.reason
    from json_populate_recordset(null::deliveries, $1) as last
    join deliveries on deliveries.message_uuid = last.message_uuid and deliveries.piece < last.piece
    where deliveries.state = 'failed' order by deliveries.message_uuid, deliveries.piece`),
  abandon: new BatchStatement(`
    update deliveries set state = case deliveries.state when 'sending' then 'uncertain' else 'failed' end,
      reason = abandoned.reason, updated_at = abandoned.updated_at
    from json_populate_recordset(null::deliveries, $1) as abandoned
    join messages as answer on answer.reply_to = abandoned.message_uuid
    where deliveries.message_uuid = answer.uuid and deliveries.state in ('pending', 'sending')`),

  // MessageRecords
  insertTraces: insertStatement(
    'message_traces',
    ['message_uuid', 'trace'],
    'on conflict (message_uuid) do update set trace = excluded.trace',
  ),
  insertCalls: insertStatement(
    'model_calls',
    [
      'uuid',
      'message_uuid',
      'model_uuid',
      'model_name',
      'started_at',
      'milliseconds',
      'first_piece_milliseconds',
      'input_tokens',
      'output_tokens',
      'cost',
      'reason',
      'error',
      'plugin_id',
    ],
    'on conflict (uuid) do nothing',
  ),
  forgetRetrievals: new BatchStatement(`
    delete from message_retrievals where message_uuid = any(array(select json_array_elements_text($1)))`),
  forgetCitations: new BatchStatement(`
    delete from message_citations where message_uuid = any(array(select json_array_elements_text($1)))`),

  // MessageQueue
  add: insertStatement('queue', queueColumns, 'on conflict do nothing'),
  putBack: insertStatement(
    'queue',
    queueColumns,
    'on conflict (conversation_uuid) do update set is_running = 0, due_at = excluded.due_at, home = excluded.home',
  ),
  remove: new BatchStatement(`
    delete from queue where conversation_uuid = any(array(select json_array_elements_text($1)))`),
  next: new BatchStatement(`
    with turns as (
      select ended.conversation_uuid, number, next.bot_uuid, next.home
      from json_array_elements_text($1) with ordinality as ended (conversation_uuid, number)
      left join lateral (
        select bot_uuid, home from messages where messages.conversation_uuid = ended.conversation_uuid
          and ${isUnfinished}
        order by sequence limit 1
      ) as next on true
    ), removed as (
      delete from queue using turns where queue.conversation_uuid = turns.conversation_uuid and turns.bot_uuid is null
    )
    insert into queue (conversation_uuid, bot_uuid, is_running, due_at, home)
    select conversation_uuid, bot_uuid, 0, $2, home from turns where bot_uuid is not null order by number
    on conflict (conversation_uuid) do update set is_running = 0, due_at = excluded.due_at, home = excluded.home`),

  // KyselyEventCounter
  countEvents: new BatchStatement<{ key: string; count: number }>(`
    with asked as (
      select * from json_to_recordset($1) as row (key text, window_start bigint, event text, maximum bigint)
    )
    insert into event_counts (key, window_start, count, events)
    select key, window_start, 1, event from asked order by key
    on conflict (key) do update set
      window_start = greatest(excluded.window_start, event_counts.window_start),
      count = case when excluded.window_start > event_counts.window_start then 1 else event_counts.count + 1 end,
      events = substr(excluded.events || event_counts.events, 1, $2)
    where (
      excluded.window_start > event_counts.window_start
      or event_counts.count < (select maximum from asked where asked.key = excluded.key)
    ) and replace(event_counts.events, excluded.events, '') = event_counts.events
    returning key, count`),
  countedEvents: new BatchStatement<{ key: string; count: number; events: string }>(`
    select key, count, events from event_counts where key = any(array(select json_array_elements_text($1)))`),
};
