import type { Generated, Kysely } from 'kysely';
import type { Role } from '../core/accounts/role.ts';
import type { Measure } from '../core/monitoring/measures.ts';

/**
 * The tables, the same for both engines: texts and integers. Timestamps are ISO 8601 UTC texts, which sort by time;
 * booleans are 0 and 1; lists and objects are JSON texts.
 */
export interface Tables {
  metadata: { key: string; value: string };
  service_owner: { id: number; owner: string; term: number; is_released: number };
  accounts: {
    uuid: string;
    user: string;
    role: Role;
    password_hash: string;
    recovery_hash: string;
    version: number;
    created_at: string;
    updated_at: string;
  };
  sessions: {
    uuid: string;
    account_uuid: string;
    address: string;
    user_agent: string;
    created_at: string;
    last_used_at: string;
    expires_at: string;
  };
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
  providers: {
    uuid: string;
    name: string;
    requester: string;
    base_url: string;
    api_keys: string;
    sealed_secrets: string | null;
    admin_addresses: Generated<string | null>;
    created_at: string;
    updated_at: string;
  };
  models: {
    uuid: string;
    kind: string;
    name: string;
    provider_uuid: string;
    abilities: string;
    extra_args: string;
    prefered_ranking: number;
    created_at: string;
    updated_at: string;
  };
  pipelines: {
    uuid: string;
    name: string;
    description: string;
    emoji: string | null;
    for_version: string;
    is_default: number;
    stages: string;
    config: string;
    extensions_preferences: string;
    sealed_secrets: string | null;
    admin_addresses: Generated<string | null>;
    created_at: string;
    updated_at: string;
  };
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
  files: {
    uuid: string;
    name: string;
    size: number;
    sha256: string;
    media_type: string;
    purpose: Generated<string>;
    access_key: Generated<string | null>;
    created_at: string;
  };
  pipeline_models: { pipeline_uuid: string; model_uuid: string };
  bot_events: {
    bot_uuid: string;
    seq_id: number;
    created_at: string;
    level: string;
    text: string;
    images: string;
    message_session_id: string;
  };
  webhooks: {
    id: Generated<number>;
    name: string;
    url: string;
    description: string;
    enabled: number;
    sealed_secret: Generated<string | null>;
    secret_mask: Generated<string>;
    disabled_reason: Generated<string | null>;
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
  };
  webhook_attempts: {
    delivery: number;
    number: number;
    started_at: string;
    milliseconds: number;
    status: number | null;
    error: string | null;
    answer: string | null;
  };
  mcp_servers: {
    uuid: string;
    name: string;
    name_key: string;
    enable: number;
    mode: string;
    extra_args: string;
    sealed_secrets: string | null;
    known_tools: string;
    /** Names and fingerprints of tools that an admin confirmed to be read-only, as JSON. */
    confirmed_tools: Generated<string>;
    created_at: string;
    updated_at: string;
  };
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
  };
  audit_entries: {
    id: Generated<number>;
    created_at: string;
    actor_kind: string;
    actor_id: string;
    actor_name: string;
    credential: string;
    address: string;
    request_id: string;
    action: string;
    record_kind: string;
    record_id: string;
    changed: string;
    before: string | null;
    after: string | null;
  };
  idempotency_keys: {
    principal: string;
    route: string;
    key: string;
    request_hash: string;
    state: string;
    status: number | null;
    answer: string | null;
    created_at: string;
  };
  conversations: {
    uuid: string;
    bot_uuid: string;
    pipeline_uuid: string;
    session_type: string;
    session_id: string;
    thread_id: string;
    is_current: number;
    last_sequence: number;
    runner_state: string | null;
    model_uuid: Generated<string | null>;
    created_at: string;
    updated_at: string;
  };
  messages: {
    position: Generated<number>;
    uuid: string;
    bot_uuid: string;
    conversation_uuid: string;
    direction: string;
    platform_message_id: string | null;
    reply_to: string | null;
    sequence: number;
    sender_id: string;
    sender_name: string;
    message_chain: string;
    text: string;
    state: string;
    reason: string | null;
    sent_at: string | null;
    facts: string | null;
    merged_into: string | null;
    attempts: Generated<number>;
    /** Until when the message waits for webhook responses; null without webhooks. */
    webhook_wait_until: Generated<string | null>;
    /** The owner that claimed it; null when none works on it. */
    claimed_by: Generated<string | null>;
    created_at: string;
    finished_at: string | null;
  };
  message_traces: { message_uuid: string; trace: string };
  message_contexts: { message_uuid: string; context: string };
  queue: { conversation_uuid: string; bot_uuid: string; is_running: number; due_at: number };
  model_calls: {
    uuid: string;
    message_uuid: string;
    model_uuid: string | null;
    model_name: string;
    started_at: string;
    milliseconds: number;
    first_piece_milliseconds: number | null;
    input_tokens: number;
    output_tokens: number;
    cost: number | null;
    reason: string | null;
    error: string | null;
  };
  tool_calls: {
    uuid: string;
    message_uuid: string;
    tool_name: string;
    parameters: string;
    result: string | null;
    result_size: number | null;
    state: string;
    reason: string | null;
    error: string | null;
    started_at: string;
    milliseconds: number | null;
  };
  model_prices: {
    model_name: string;
    input_price: number;
    output_price: number;
    created_at: string;
    updated_at: string;
  };
  embedding_calls: {
    uuid: string;
    model_uuid: string | null;
    model_name: string;
    started_at: string;
    milliseconds: number;
    prompt_tokens: number;
    total_tokens: number;
    input_count: number;
    reason: string | null;
    error: string | null;
    knowledge_base_uuid: string | null;
    query_text: string | null;
    session_id: string | null;
    message_uuid: string | null;
    call_type: string;
  };
  knowledge_bases: {
    uuid: string;
    name: string;
    description: string;
    emoji: string | null;
    knowledge_engine_plugin_id: string;
    collection_id: string;
    retrieval_settings: string;
    sealed_secrets: string | null;
    created_at: string;
    updated_at: string;
  };
  knowledge_collections: {
    collection_id: string;
    knowledge_base_uuid: string;
    knowledge_engine_plugin_id: string;
    state: string;
    creation_settings: string;
    sealed_secrets: string | null;
    admin_addresses: Generated<string | null>;
    error: string | null;
    evaluation_uuid: string | null;
    created_at: string;
    updated_at: string;
  };
  knowledge_documents: {
    uuid: string;
    knowledge_base_uuid: string;
    file_uuid: string;
    file_name: string;
    extension: string;
    media_type: string;
    size: number;
    sha256: string;
    parser_plugin_id: string | null;
    metadata: string;
    stage: string;
    done: Generated<number>;
    total: Generated<number>;
    reason: string | null;
    error: string | null;
    warnings: Generated<string>;
    title: string | null;
    page_kind: string | null;
    pages: Generated<string>;
    chunk_count: Generated<number>;
    /** Runs that ended with the process since it last got further, the present one included. */
    attempts: Generated<number>;
    /** The furthest place that a run reached which ended with the process; see `placeOf`. */
    furthest: Generated<number>;
    task_id: number | null;
    created_at: string;
    updated_at: string;
    finished_at: string | null;
  };
  knowledge_collection_documents: {
    collection_id: string;
    document_uuid: string;
    chunk_count: number | null;
    attempts: Generated<number>;
    furthest: Generated<number>;
    /** The place that the present run reached. */
    reached: Generated<number>;
    created_at: string;
  };
  knowledge_questions: {
    uuid: string;
    knowledge_base_uuid: string;
    question: string;
    expected: string;
    created_at: string;
    updated_at: string;
  };
  knowledge_evaluations: {
    uuid: string;
    knowledge_base_uuid: string;
    collection_id: string;
    state: string;
    asked_by: string;
    model_uuid: string | null;
    figures: string | null;
    results: Generated<string>;
    error: string | null;
    created_at: string;
    finished_at: string | null;
  };
  message_retrievals: { uuid: string; message_uuid: string; started_at: string; retrieval: string };
  message_citations: { message_uuid: string; report: string; cited: number; dropped: number };
  feedbacks: {
    uuid: string;
    feedback_id: string;
    created_at: string;
    feedback_type: number;
    feedback_content: string | null;
    inaccurate_reasons: string | null;
    bot_uuid: string;
    pipeline_uuid: string;
    session_id: string | null;
    message_uuid: string | null;
    platform_message_id: string | null;
    stream_id: string | null;
    user_id: string | null;
    platform: string | null;
  };
  monitoring_rollups: {
    span: string;
    start: string;
    bot_uuid: string;
    pipeline_uuid: string;
    model_name: string;
  } & { [Name in Measure]: Generated<number> };
  monitoring_marks: { id: Generated<number>; hour: string };
  event_counts: { key: string; window_start: number; count: number; events: string };
  deliveries: {
    message_uuid: string;
    piece: number;
    /** Null for a single part, which is the message itself. */
    message_chain: string | null;
    idempotency_token: string;
    platform_message_id: string | null;
    state: string;
    reason: string | null;
    error: string | null;
    created_at: string;
    updated_at: string;
    /** Null where it does not end. */
    expires_at: string | null;
  };
  /** What platforms need to find sent messages again, as JSON. */
  delivery_handles: { message_uuid: string; piece: number; handle: string };
}

export type Database = Kysely<Tables>;
