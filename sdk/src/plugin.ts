import type { IndexedDocument } from './knowledge-engine.ts';
import type { MessageChain, MessageElement } from './message-chain.ts';
import type { ConversationTurn } from './message-event.ts';
import type { ParsedDocument, ParserFile } from './parser.ts';
import type { PluginPoint } from './plugin-manifest.ts';
import type { RetrievalFilter, RetrievedPassage } from './retrieval.ts';
import type { PromptMessage, RunnerRequest } from './runner.ts';
import type { PipelineMessage } from './stage.ts';
import type { ToolResult } from './tool.ts';

/*
 * What the module of a plugin exports as `default`, and what the server gives it. Its manifest declares what it adds;
 * the module has a handler for each of that. All values cross a process boundary as JSON.
 */

/** A request of a plugin for an HTTP response. */
export interface PluginFetchInit {
  /** Default `GET`. */
  method?: string;
  headers?: Record<string, string>;
  /** At most 6,000,000 bytes. */
  body?: string | Uint8Array;
  /** `manual` returns a redirect as it is. Default `follow`; each address is checked against the permissions. */
  redirect?: 'follow' | 'manual' | 'error';
  signal?: AbortSignal;
}

/** A call of a language model. */
export interface PluginGeneration {
  /** uuid of a model that the operator chose. */
  model: string;
  messages: readonly PromptMessage[];
  /** Most tokens of the answer; the default of the model when absent. */
  max_tokens?: number;
  /** From 0 to 2; the default of the model when absent. */
  temperature?: number;
}

/** The result of a call of a language model. */
export interface PluginGenerated {
  text: string;
  input_tokens: number;
  output_tokens: number;
}

/** Small data of a plugin, 10 MB in all. Values are JSON, at most 1 MB each; keys have at most 200 characters. */
export interface PluginStorage {
  /** @returns undefined when there is no such key */
  get(key: string): Promise<unknown>;
  /** @throws ParleyError `plugin_storage_full` */
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** In alphabetical order, at most 1,000 after `after`. */
  keys(prefix?: string, after?: string): Promise<string[]>;
  /**
   * Adds to a number, atomically; an absent one is 0. For a message it happens once, also when the message is processed
   * again after a crash.
   * @returns the sum
   * @throws ParleyError `conflict` when the value is no number
   */
  add(key: string, amount: number): Promise<number>;
}

/**
 * What the server does for a plugin. Each call is checked against the permissions that the operator granted; without them
 * it fails with `plugin_permission_denied`.
 */
export interface PluginHost<Settings = Record<string, unknown>> {
  /** Its settings, secrets in the clear. No permission is needed. */
  settings(): Promise<Settings>;
  /** Writes a line to its log, at most 10,000 characters. No permission is needed. */
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string): void;
  /** Permission `fetch`. The response is read as a stream. */
  fetch(url: string, init?: PluginFetchInit): Promise<Response>;
  /** Permission `storage`. */
  storage: PluginStorage;
  /**
   * Permission `reply`: sends a message to the chat of the message that it is called for, before the answer. Returns when
   * it is stored.
   */
  reply(message: MessageChain | string): Promise<void>;
  /**
   * Permission `send`: has a bot write to a target; both are of those that the operator chose. Returns when it was sent.
   * @throws ParleyError with the reason of the platform
   */
  send(
    target: { bot_uuid: string; session_type: 'person' | 'group'; target_id: string },
    message: MessageChain | string,
  ): Promise<void>;
  /** Permission `models`. */
  models: {
    /** Those that the operator chose. */
    list(): Promise<{ uuid: string; name: string; kind: 'llm' | 'embedding' }[]>;
    generate(request: PluginGeneration, options?: { signal?: AbortSignal }): Promise<PluginGenerated>;
    /** @returns the parts of the text */
    stream(request: PluginGeneration, options?: { signal?: AbortSignal }): AsyncIterable<string>;
    /** @returns a vector for each text */
    embed(
      model: string,
      texts: readonly string[],
      options?: { purpose?: 'document' | 'query'; signal?: AbortSignal },
    ): Promise<number[][]>;
  };
  /** Permission `knowledge`. */
  knowledge: {
    /** @param bases uuids; default those of the pipeline of the message, else those that the operator chose */
    search(query: string, bases?: readonly string[]): Promise<RetrievedPassage[]>;
  };
  /** Permission `files`: the content of a file that an element of the message names, at most 100 MB. */
  files: { read(element: MessageElement): AsyncIterable<Uint8Array> };
  /** Permission `conversation`: of the message that it is called for. */
  conversation: {
    read(rounds: number): Promise<ConversationTurn[]>;
    /** The next message starts another. */
    reset(): Promise<void>;
  };
}

/** What every handler gets. */
export interface PluginCall {
  host: PluginHost;
  /** Aborted when the result is no longer wanted: the user cancelled, the time is over, the service stops. */
  signal: AbortSignal;
}

/** What a handler for a message gets. */
export interface PluginMessageCall extends PluginCall {
  message: PipelineMessage;
  /** From 1; higher when the message is processed again, after a crash for example. */
  attempt: number;
}

/** What a listener reads at each point. */
export interface PluginEvents {
  received: { message_chain: MessageChain };
  command: { name: string; parameters: string[] };
  prompt: {
    prompt: PromptMessage[];
    history: ConversationTurn[];
    /** uuids */
    knowledge_bases: string[];
    /** Names of the tools that the model may call. */
    tools: string[];
  };
  question: { message_chain: MessageChain };
  /** The whole answer, before the stages for answers, such as the content filter. */
  answer: { message_chain: MessageChain };
  /** The answer as it was sent. */
  sent: { message_chain: MessageChain };
}

/** Ends the message: nothing is sent. */
export interface PluginStop {
  action: 'stop';
}
/** Answers the message in place of what would follow. */
export interface PluginAnswer {
  action: 'answer';
  message_chain: MessageChain;
}
/** What follows gets the event with these fields. Those that are absent stay. */
export type PluginChange<Event> = { action: 'change' } & Partial<Event>;

/**
 * What a listener may return at each point; nothing lets the message pass as it is. At `prompt`, tools can only be left
 * out, and knowledge bases left out or put into another order.
 */
export interface PluginVerdicts {
  received: PluginChange<PluginEvents['received']> | PluginStop | PluginAnswer;
  command: PluginChange<PluginEvents['command']> | PluginStop | PluginAnswer;
  prompt: PluginChange<PluginEvents['prompt']>;
  question: PluginChange<PluginEvents['question']> | PluginAnswer;
  answer: PluginChange<PluginEvents['answer']> | PluginStop;
  sent: never;
}

type Awaitable<Value> = Value | Promise<Value>;

/** A listener. */
export type PluginListener<Point extends PluginPoint> = (
  event: PluginEvents[Point],
  call: PluginMessageCall,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return lets the message pass
) => Awaitable<PluginVerdicts[Point] | undefined | void>;

/** A collection of a knowledge base, as an engine of a plugin gets it. */
export interface PluginCollection {
  collection_id: string;
  knowledge_base_uuid: string;
  /** Of `creation_schema`, complete, secrets in the clear. */
  settings: Record<string, unknown>;
}

/** A knowledge engine; its store is its own. */
export interface PluginEngine {
  open(collection: PluginCollection, call: PluginCall): Awaitable<void>;
  drop(collection: PluginCollection, call: PluginCall): Awaitable<void>;
  /** Stores a document; one with the same id is replaced. Present with `doc_ingestion`. */
  ingest?(
    request: {
      collection: PluginCollection;
      document: IndexedDocument;
      /** Null with `doc_parsing`: read `content`. */
      parsed: ParsedDocument | null;
      content: AsyncIterable<Uint8Array>;
      progress(stage: 'chunking' | 'embedding', done: number, total: number): void;
    },
    call: PluginCall,
  ): Awaitable<{ chunks: number }>;
  /** Present with `doc_ingestion`. */
  remove?(collection: PluginCollection, documentId: string, call: PluginCall): Awaitable<void>;
  /** @returns at most `top_k` passages, best first */
  retrieve(
    request: {
      collection: PluginCollection;
      query: string;
      settings: Record<string, unknown> & { top_k: number };
      filters: readonly RetrievalFilter[];
    },
    call: PluginCall,
  ): Awaitable<RetrievedPassage[]>;
}

/** A part of the answer of a runner of a plugin. */
export type PluginRunnerDelta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'attachment'; element: MessageElement };

/** A request to a runner of a plugin. */
export type PluginRunnerRequest = Pick<
  RunnerRequest,
  | 'config'
  | 'prompt'
  | 'history'
  | 'text'
  | 'message_chain'
  | 'knowledge_bases'
  | 'instructions'
  | 'platform'
  | 'variables'
>;

/**
 * What the module of a plugin exports as `default`: a handler for each contribution of its manifest, by name.
 * @example export default { tools: { shout: ({ text }) => String(text).toUpperCase() } } satisfies Plugin;
 */
export interface Plugin {
  /** Called once, before everything else; a failure keeps the plugin from running. */
  start?(call: PluginCall): Awaitable<void>;
  tools?: Record<
    string,
    (
      parameters: Record<string, unknown>,
      call: PluginMessageCall & { /** Restarts the timeout, within bounds. */ progress(): void },
    ) => Awaitable<ToolResult | string>
  >;
  commands?: Record<
    string,
    (
      invocation: { parameters: string[] /** Of the sender; 2 for admins. */; privilege: 1 | 2; prefix: string },
      call: PluginMessageCall,
    ) => Awaitable<MessageChain | string>
  >;
  listeners?: { [Point in PluginPoint]?: PluginListener<Point> };
  /** @returns a document; one of another shape is `document_broken` */
  parser?: (
    file: Omit<ParserFile, 'bytes'> & { bytes: Uint8Array },
    call: PluginCall & {
      progress(done: number, total: number): void;
      limits: { pages: number; characters: number; expanded_bytes: number };
    },
  ) => Awaitable<ParsedDocument>;
  engine?: PluginEngine;
  runners?: Record<string, (request: PluginRunnerRequest, call: PluginMessageCall) => AsyncIterable<PluginRunnerDelta>>;
  /** Requests of pages, in the name of the account that looks at the page. */
  pages?: Record<
    string,
    (request: { endpoint: string; method: string; body: unknown }, call: PluginCall) => Awaitable<unknown>
  >;
  schedules?: Record<string, (due: { /** ISO 8601 UTC. */ due_at: string }, call: PluginCall) => Awaitable<void>>;
}
