import type { Reason } from '@parley/sdk';
import type { Generated, Kysely } from 'kysely';
import type { Account } from '../core/accounts/account.ts';
import type { Session } from '../core/accounts/session.ts';
import type { Alert, AlertNotice } from '../core/alerts/alert.ts';
import type { StoredAlertRule } from '../core/alerts/alert-rule.ts';
import type { StoredAlertTarget } from '../core/alerts/alert-target.ts';
import type { AuditEntry } from '../core/audit/audit-entry.ts';
import type { BotState } from '../core/bots/bot.ts';
import type { NewBotEvent } from '../core/bots/bot-event.ts';
import type { Conversation, ConversationKey } from '../core/conversations/conversation.ts';
import type { Feedback } from '../core/feedback/feedback.ts';
import type { StoredFile } from '../core/files/file.ts';
import type { KnowledgeDocument } from '../core/knowledge/document.ts';
import type { Evaluation, GoldenQuestion } from '../core/knowledge/golden-question.ts';
import type { KnowledgeBase, StoredCollection } from '../core/knowledge/knowledge-base.ts';
import type { StoredMcpServer } from '../core/mcp/mcp-server.ts';
import type { Delivery } from '../core/messages/delivery.ts';
import type { Message } from '../core/messages/message.ts';
import type { RecordedModelCall } from '../core/messages/message-reader.ts';
import type { PluginEffectKind } from '../core/messages/plugin-effects.ts';
import type { StoredModel } from '../core/models/model.ts';
import type { ModelPrice } from '../core/models/model-price.ts';
import type { StoredProvider } from '../core/models/provider.ts';
import type { EmbeddingCall } from '../core/monitoring/embedding-call.ts';
import type { Measure } from '../core/monitoring/measures.ts';
import type { PipelineContent, StoredPipeline } from '../core/pipelines/pipeline.ts';
import type { PackageRecord } from '../core/plugins/package-records.ts';
import type { StoredPlugin } from '../core/plugins/plugin.ts';
import type { StoredSchedule } from '../core/plugins/schedules/schedule-store.ts';
import type { ToolCall } from '../core/tools/tool-call.ts';
import type { WebhookAttempt } from '../core/webhooks/webhook-delivery.ts';

/** A record with some of its fields as JSON texts. */
type WithTexts<Content, Fields extends keyof Content> = Omit<Content, Fields> & {
  [Field in Fields]: null extends Content[Field] ? string | null : string;
};

/** What a version or a draft of a pipeline holds, and who wrote it. */
type ContentColumns = WithTexts<PipelineContent, 'config' | 'extensions_preferences' | 'admin_addresses'> & {
  author: string | null;
};

/** What a message has from its conversation. */
type ConversationOfMessage = Pick<Message, Exclude<keyof ConversationKey, 'bot_uuid'> | 'model_uuid'>;

/**
 * The tables, the same for both engines: texts and integers. Timestamps are ISO 8601 UTC texts, which sort by time;
 * booleans are 0 and 1; lists and objects are JSON texts.
 */
/** A row that a replica works on. */
interface ClaimedBy {
  /** Null while none does. */
  claimed_by: Generated<string | null>;
}

/** A row that replicas work on in turn. */
interface Claimed extends ClaimedBy {
  /** Raised by each claim, so that a write for an earlier one is known. */
  claim: Generated<number>;
}

/** A start of the service on this database. */
interface ReplicaRow {
  id: string;
  /** Of its data folder, which one process at a time uses. */
  folder: string;
  version: string;
  /** Where other replicas reach it; null when they do not. */
  address: string | null;
  /** One that waits or drains takes no leases. */
  state: 'waiting' | 'live' | 'draining' | 'ended';
  /** Raised each second while it works. */
  beat: number;
  started_at: string;
  ended_at: string | null;
  /** The replica that took its work over; null when it stopped by itself. */
  ended_by: string | null;
  /** Name of the last migration that its program knows; null when that is not stored. */
  schema: Generated<string | null>;
  /** JSON: keyed digests of its settings, by name; null until it works. */
  settings: Generated<string | null>;
}

export interface Tables {
  metadata: { key: string; value: string };
  /** One row. Triggers raise its number with each change of a record that messages are processed with. */
  record_version: { id: number; version: number };
  access_version: { id: number; version: number };
  /** One row. Triggers raise its number with each change of a plugin, an MCP server or a webhook. */
  extension_version: { id: number; version: number };
  /** Sign-ins with an identity provider that were answered: SHA-256 of the state, base64url. */
  used_states: { digest: string; expires_at: string };
  service_owner: { id: number; owner: string; term: number; is_released: number };
  replicas: ReplicaRow;
  leases: { name: string; replica: string | null; token: number; wanted_by: string | null };
  /** The connection of a bot, as the replica that has or had it stored it. */
  bot_states: {
    bot_uuid: string;
    replica: string;
    /** Of the lease of the bot. */
    token: number;
    state: BotState;
    reason: Reason | null;
    error: string | null;
    since: string;
    account_id: string | null;
    account_profile: string | null;
    account_key: string | null;
  };
  /** One row. Raised with each change of a state. */
  bot_state_version: { id: number; version: number };
  accounts: Account;
  sessions: Session;
  second_factors: { account_uuid: string; sealed_secret: string; last_step: number; enabled_at: string | null };
  recovery_codes: { account_uuid: string; code_hash: string };
  identities: { issuer: string; subject: string; account_uuid: string; created_at: string };
  account_networks: { account_uuid: string; network: string; signed_in_at: string };
  attempts: { key: string; failures: number; blocked_until: string | null; updated_at: string };
  api_keys: {
    id: Generated<number>;
    name: string;
    key_hash: string;
    key_mask: string;
    description: string;
    scopes: string;
    account_uuid: Generated<string | null>;
    expires_at: string | null;
    last_used_at: string | null;
    created_at: string;
    updated_at: string;
  };
  providers: WithTexts<StoredProvider, 'api_keys' | 'admin_addresses'>;
  models: WithTexts<StoredModel, 'abilities' | 'extra_args'> & { kind: string };
  pipelines: WithTexts<
    Omit<StoredPipeline, 'is_default' | 'version'>,
    'stages' | 'config' | 'extensions_preferences' | 'admin_addresses'
  > & { is_default: number; version: Generated<number> };
  pipeline_versions: ContentColumns & {
    pipeline_uuid: string;
    version: number;
    restored_from: number | null;
    created_at: string;
  };
  pipeline_drafts: ContentColumns & { pipeline_uuid: string; base_version: number; updated_at: string };
  bots: {
    uuid: string;
    name: string;
    description: string;
    adapter: string;
    adapter_config: string;
    sealed_secrets: string | null;
    admin_addresses: Generated<string | null>;
    enable: number;
    use_pipeline_uuid: string | null;
    pipeline_routing_rules: Generated<string>;
    uncertain_sends: Generated<string>;
    created_at: string;
    updated_at: string;
  };
  bot_pipelines: { bot_uuid: string; pipeline_uuid: string };
  files: StoredFile;
  pipeline_models: { pipeline_uuid: string; model_uuid: string };
  bot_events: WithTexts<NewBotEvent, 'images'> & { seq_id: number };
  webhooks: {
    id: Generated<number>;
    name: string;
    url: string;
    description: string;
    enabled: number;
    sealed_secret: Generated<string | null>;
    secret_mask: Generated<string>;
    disabled_reason: Generated<string | null>;
    /** Nothing is sent to it until then, milliseconds since 1970: it requested a pause. */
    paused_until: Generated<number | null>;
    created_at: string;
    updated_at: string;
  };
  webhook_deliveries: {
    position: Generated<number>;
    webhook_id: number;
    message_uuid: string;
    conversation_uuid: string;
    state: string;
    attempts: number;
    /** Null when it ended, and while an earlier one of its conversation is to be sent first. */
    due_at: number | null;
    expires_at: number;
    /** Whether the first answer came in time and ended the message. */
    skips: number;
    error: string | null;
    created_at: string;
    finished_at: string | null;
  } & Claimed;
  webhook_attempts: WebhookAttempt & { delivery: number };
  alert_targets: WithTexts<StoredAlertTarget, 'config'>;
  alert_rules: WithTexts<Omit<StoredAlertRule, 'enabled'>, 'parameters' | 'targets'> & { enabled: number };
  alerts: WithTexts<Omit<Alert, 'id' | 'notices'>, 'facts'> & { id: Generated<number> };
  alert_notices: Omit<AlertNotice, 'next_attempt_at'> & {
    alert_id: number;
    /** As they were when the notice was made, as JSON. */
    facts: string;
    /** When it is sent; null while it is being sent, and when it ended. */
    due_at: number | null;
    expires_at: number;
  } & ClaimedBy;
  mcp_servers: WithTexts<Omit<StoredMcpServer, 'enable' | 'confirmed_tools'>, 'extra_args' | 'known_tools'> & {
    name_key: string;
    enable: number;
    /** Names and fingerprints of tools that an admin confirmed to be read-only, as JSON. */
    confirmed_tools: Generated<string>;
  };
  plugins: WithTexts<
    Omit<StoredPlugin, 'enabled'>,
    'installed' | 'waiting' | 'previous' | 'settings' | 'admin_addresses' | 'grants'
  > & { enabled: number };
  tasks: {
    id: Generated<number>;
    task_type: string;
    kind: string;
    name: string;
    label: string;
    scopes: string;
    context: string;
    state: string;
    exception: string | null;
    result: string | null;
    created_at: string;
    updated_at: string;
    finished_at: string | null;
    cancel_requested_at: Generated<string | null>;
    cancel_refusal: string | null;
  } & ClaimedBy;
  /** Answers that are cancelled while another replica may be writing them. */
  answer_cancellations: {
    conversation_uuid: string;
    before_sequence: number;
    reason: string;
    requested_at: string;
  };
  audit_entries: { id: Generated<number> } & WithTexts<Omit<AuditEntry, 'id'>, 'changed' | 'before' | 'after'>;
  idempotency_keys: {
    principal: string;
    route: string;
    key: string;
    request_hash: string;
    state: string;
    status: number | null;
    answer: string | null;
    created_at: string;
  } & Claimed;
  conversations: Conversation & {
    is_current: number;
    last_sequence: number;
    runner_state: string | null;
    model_uuid: Generated<string | null>;
    /** Chosen in the chat; null for the first message. */
    title: Generated<string | null>;
    /** Raised by triggers when a message that had ended changes or is deleted. */
    history_revision: Generated<number>;
    updated_at: string;
  };
  messages: Omit<
    Message,
    keyof ConversationOfMessage | 'facts' | 'message_chain' | 'attempts' | 'webhook_wait_until'
  > & {
    position: Generated<number>;
    message_chain: string;
    sent_at: string | null;
    facts: string | null;
    attempts: Generated<number>;
    /** Until when the message waits for webhook responses; null without webhooks. */
    webhook_wait_until: Generated<string | null>;
    /** The owner that claimed it; null when none works on it. */
    claimed_by: Generated<string | null>;
    /** Raised by each claim, and never lowered. */
    claim: Generated<number>;
    /** The replica where a caller or a socket waits for the answer; null where none does. */
    home: Generated<string | null>;
  };
  /** Ranges of a conversation that are no part of its history any more. `replacement` is the platform's id of the message that replaced them. */
  replaced_messages: {
    conversation_uuid: string;
    first_sequence: number;
    last_sequence: number;
    replacement: string;
    created_at: string;
  };
  message_traces: { message_uuid: string; trace: string };
  media_references: { message_uuid: string; id: string; name: string; sealed_value: string };
  bot_greetings: { bot_uuid: string; event: string; created_at: string };
  adapter_values: { bot_uuid: string; adapter: string; name: string; sealed_value: string };
  used_requests: { bot_uuid: string; digest: string; expires_at: string; replica: string | null };
  message_contexts: { message_uuid: string; context: string };
  reply_contexts: {
    message_uuid: string;
    sealed_value: string;
    expires_at: string | null;
    uses_left: number | null;
  };
  queue: {
    conversation_uuid: string;
    bot_uuid: string;
    is_running: number;
    due_at: number;
    /** Of the next message. */
    home: Generated<string | null>;
  };
  model_calls: Omit<RecordedModelCall, 'plugin_id'> & { message_uuid: string; plugin_id: string | null };
  model_requests: { call_uuid: string; message_uuid: string; expires_at: string; request: string };
  tool_calls: ToolCall & ClaimedBy;
  plugin_effects: {
    message_uuid: string;
    plugin_id: string;
    point: string;
    kind: PluginEffectKind;
    ordinal: number;
    reply_uuid: string | null;
    content: string;
    created_at: string;
  };
  plugin_model_calls: Omit<RecordedModelCall, 'plugin_id'> & { plugin_id: string };
  plugin_values: { plugin_id: string; key: string; value: string; bytes: number };
  plugin_value_sizes: { plugin_id: string; bytes: number };
  plugin_packages: Omit<PackageRecord, 'digest'> & { digest: string | null };
  plugin_schedules: StoredSchedule & ClaimedBy;
  model_prices: ModelPrice;
  embedding_calls: EmbeddingCall & { uuid: string };
  knowledge_bases: WithTexts<Omit<KnowledgeBase, 'creation_settings'>, 'retrieval_settings'> & {
    sealed_secrets: string | null;
  };
  knowledge_collections: WithTexts<StoredCollection, 'creation_settings' | 'admin_addresses'> & ClaimedBy;
  knowledge_documents: WithTexts<KnowledgeDocument, 'metadata' | 'warnings' | 'pages'> & {
    /** The furthest place that a run reached which ended with the process; see `placeOf`. */
    furthest: Generated<number>;
  } & Claimed;
  knowledge_collection_documents: {
    collection_id: string;
    document_uuid: string;
    chunk_count: number | null;
    attempts: Generated<number>;
    furthest: Generated<number>;
    /** The place that the present run reached. */
    reached: Generated<number>;
    created_at: string;
  } & Claimed;
  knowledge_questions: WithTexts<GoldenQuestion, 'expected'>;
  knowledge_evaluations: WithTexts<Evaluation, 'figures' | 'results'> & ClaimedBy;
  message_retrievals: { uuid: string; message_uuid: string; started_at: string; retrieval: string };
  message_citations: { message_uuid: string; report: string; cited: number; dropped: number };
  feedbacks: WithTexts<Feedback, 'inaccurate_reasons'> & { uuid: string };
  monitoring_rollups: {
    span: string;
    start: string;
    bot_uuid: string;
    pipeline_uuid: string;
    model_name: string;
  } & { [Name in Measure]: Generated<number> };
  monitoring_marks: { id: Generated<number>; hour: string };
  event_counts: { key: string; window_start: number; count: number; events: string };
  deliveries: Omit<Delivery, 'message_chain' | 'handle'> & {
    /** Null for a single part, which is the message itself. */
    message_chain: string | null;
  };
  /** What platforms need to find sent messages again, as JSON. */
  delivery_handles: { message_uuid: string; piece: number; handle: string };
}

export type Database = Kysely<Tables>;
