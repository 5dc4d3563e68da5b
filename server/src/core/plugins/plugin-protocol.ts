import type {
  ConversationTurn,
  IndexedDocument,
  MessageChain,
  MessageElement,
  ParsedDocument,
  ParserFile,
  PipelineMessage,
  PluginCollection,
  PluginContributions,
  PluginEvents,
  PluginGenerated,
  PluginGeneration,
  PluginPoint,
  PluginRunnerDelta,
  PluginRunnerRequest,
  PluginVerdicts,
  RetrievalFilter,
  RetrievedPassage,
  ToolResult,
} from '@parley/sdk';

/*
 * The requests between the server and the process of a plugin, as JSON-RPC methods: parameters, result, and what is
 * streamed beside them. Everything that comes from the plugin is checked where it is used; these are the types of what
 * a well-behaved one sends.
 */

/** Raised when the requests change in a way that the other side must know of. */
export const protocolVersion = 1;

/** The message that a request is about. */
export interface AboutMessage {
  message: PipelineMessage;
  attempt: number;
}

/** What the server asks of a plugin. `items` are streamed from the plugin, `bytes` to it. */
export interface PluginMethods {
  /** Loads the module and calls its `start`. The result names what it has handlers for: `tool convert_units`. */
  start: {
    parameters: { protocol: number; id: string; version: string; sdk: string; contributes: PluginContributions };
    result: { protocol: number; handlers: string[] };
  };
  tool: { parameters: AboutMessage & { name: string; parameters: Record<string, unknown> }; result: ToolResult };
  command: {
    parameters: AboutMessage & { name: string; parameters: string[]; privilege: 1 | 2; prefix: string };
    result: MessageChain;
  };
  listener: {
    parameters: { [Point in PluginPoint]: AboutMessage & { point: Point; event: PluginEvents[Point] } }[PluginPoint];
    /** Null to pass. */
    result: PluginVerdicts[PluginPoint] | null;
  };
  parser: {
    parameters: {
      file: Omit<ParserFile, 'bytes'>;
      limits: { pages: number; characters: number; expanded_bytes: number };
    };
    bytes: true;
    result: ParsedDocument;
  };
  engine_open: { parameters: { collection: PluginCollection }; result: null };
  engine_drop: { parameters: { collection: PluginCollection }; result: null };
  engine_ingest: {
    parameters: { collection: PluginCollection; document: IndexedDocument; parsed: ParsedDocument | null };
    /** The content of the file, if `parsed` is null. */
    bytes: true;
    result: { chunks: number };
  };
  engine_remove: { parameters: { collection: PluginCollection; document_id: string }; result: null };
  engine_retrieve: {
    parameters: {
      collection: PluginCollection;
      query: string;
      settings: Record<string, unknown> & { top_k: number };
      filters: readonly RetrievalFilter[];
    };
    result: RetrievedPassage[];
  };
  runner: {
    parameters: AboutMessage & { name: string; request: PluginRunnerRequest };
    items: PluginRunnerDelta;
    result: null;
  };
  page: { parameters: { name: string; endpoint: string; method: string; body: unknown }; result: unknown };
  schedule: { parameters: { name: string; due_at: string }; result: null };
}
export type PluginMethod = keyof PluginMethods;

/** What a plugin asks of the server, always during one of the calls above. `items` and `bytes` are streamed to it. */
export interface HostMethods {
  settings: { parameters: Record<string, never>; result: Record<string, unknown> };
  fetch: {
    parameters: {
      url: string;
      method: string;
      headers: Record<string, string>;
      /** Base64. On its way it is binary. */
      body: string | null;
      redirect: 'follow' | 'manual' | 'error';
    };
    bytes: true;
    /** Comes before the bytes of the body. */
    result: { status: number; status_text: string; headers: [name: string, value: string][]; url: string };
  };
  storage_get: { parameters: { key: string } /** Absent for an absent key. */; result: { value?: unknown } };
  storage_set: { parameters: { key: string; value: unknown }; result: null };
  storage_delete: { parameters: { key: string }; result: null };
  storage_keys: { parameters: { prefix: string; after: string }; result: string[] };
  storage_add: { parameters: { key: string; amount: number }; result: number };
  reply: { parameters: { message_chain: MessageChain }; result: null };
  send: {
    parameters: {
      target: { bot_uuid: string; session_type: 'person' | 'group'; target_id: string };
      message_chain: MessageChain;
    };
    result: null;
  };
  models_list: {
    parameters: Record<string, never>;
    result: { uuid: string; name: string; kind: 'llm' | 'embedding' }[];
  };
  models_generate: { parameters: PluginGeneration; result: PluginGenerated };
  models_stream: { parameters: PluginGeneration; items: { text: string }; result: null };
  models_embed: {
    parameters: { model: string; texts: readonly string[]; purpose: 'document' | 'query' };
    result: number[][];
  };
  knowledge_search: { parameters: { query: string; bases: readonly string[] | null }; result: RetrievedPassage[] };
  files_read: { parameters: { element: MessageElement }; bytes: true; result: null };
  conversation_read: { parameters: { rounds: number }; result: ConversationTurn[] };
  conversation_reset: { parameters: Record<string, never>; result: null };
}
export type HostMethod = keyof HostMethods;

/** Notifications of a plugin. */
export interface PluginNotifications {
  log: { level: 'debug' | 'info' | 'warn' | 'error'; text: string };
  /** About one of its calls: restarts the timeout of a tool, and is shown for a document. */
  progress: { stage?: 'chunking' | 'embedding'; done?: number; total?: number };
}
