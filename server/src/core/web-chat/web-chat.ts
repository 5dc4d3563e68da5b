import {
  type Citation,
  type MessageChain,
  ParleyError,
  type PipelineTrial,
  type SessionType,
  textOfChain,
} from '@parley/sdk';
import type { BrowserSocket, PlatformConnection } from '@parley/sdk/internal';
import { storableText } from '../../lib/storable-text.ts';
import type { Bot } from '../bots/bot.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { BotStore } from '../bots/bot-store.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ConversationKey } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { Message } from '../messages/message.ts';
import type { MessageHistory } from '../messages/message-history.ts';
import type { MessageReader } from '../messages/message-reader.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';

/** The one group of the web chat. */
const groupId = 'websocketgroup';
/** A conversation view shows at most this many of its latest messages. */
const viewLimit = 1000;

/** Who is chatting. */
export interface WebChatPerson {
  id: string;
  name: string;
}

/** One of the conversations of a user with a pipeline. */
export interface WebChatPlace {
  session_type: SessionType;
  /** Null for a conversation with the pipeline as it is published. */
  trial: PipelineTrial | null;
  /** Whether the trial is one side of a comparison, which has a conversation of its own. */
  compared: boolean;
}

/** A message as the web chat shows it. */
export interface WebChatMessage {
  id: number;
  uuid: string;
  role: 'user' | 'assistant';
  content: string;
  message_chain: MessageChain;
  timestamp: string;
  is_final: boolean;
  /** Present when it is a notice that there is no answer because of a failure. */
  is_failed?: true;
  connection_id: string;
  /** The sources that an answer cites, by their numbers in it; absent without any. */
  citations?: { number: number; file_name: string; page: number | null; page_end: number | null }[];
}

/** Chatting with a pipeline from a browser, through a bot whose platform takes sockets. */
export class WebChat {
  readonly #bots: BotStore;
  readonly #runtime: BotRuntime;
  readonly #pipelines: PipelineService;
  readonly #conversations: Pick<ConversationStore, 'current' | 'endCurrent'>;
  readonly #history: Pick<MessageHistory, 'shown'>;
  readonly #reader: Pick<MessageReader, 'citations'>;

  constructor(
    bots: BotStore,
    runtime: BotRuntime,
    pipelines: PipelineService,
    conversations: Pick<ConversationStore, 'current' | 'endCurrent'>,
    history: Pick<MessageHistory, 'shown'>,
    reader: Pick<MessageReader, 'citations'>,
  ) {
    this.#bots = bots;
    this.#runtime = runtime;
    this.#pipelines = pipelines;
    this.#conversations = conversations;
    this.#history = history;
    this.#reader = reader;
  }

  /** @throws ParleyError `not_found` for the pipeline, `bot_disabled` when no bot takes sockets */
  async connect({
    compared,
    ...socket
  }: Omit<BrowserSocket, 'session_id' | 'thread_id'> & Pick<WebChatPlace, 'compared'>): Promise<void> {
    await this.#pipelines.get(socket.pipeline_uuid);
    const bot = await this.#botFor(socket.pipeline_uuid);
    const session_id = sessionIdOf(socket.session_type, socket.person_id);
    bot.adapter.acceptBrowser?.({ ...socket, session_id, thread_id: threadOf({ ...socket, compared }) });
  }

  /** The messages of the current conversation, oldest first. */
  async messages(pipelineUuid: string, place: WebChatPlace, person: WebChatPerson): Promise<WebChatMessage[]> {
    const conversation = await this.#conversations.current(await this.#key(pipelineUuid, place, person));
    if (conversation === null) return [];
    const messages = await this.#history.shown(conversation.uuid, viewLimit);
    const citations = await this.#reader.citations(messages.flatMap(({ reply_to }) => reply_to ?? []));
    const failed = new Set(messages.filter(({ state }) => state === 'failed').map(({ uuid }) => uuid));
    return messages.map((message) => ({
      ...shown(message, message.state === 'failed' && failed.has(message.reply_to ?? '')),
      ...sourcesOf(citations.get(message.reply_to ?? '')),
    }));
  }

  /** Starts a new conversation with an empty view and history. */
  async reset(pipelineUuid: string, place: WebChatPlace, person: WebChatPerson): Promise<void> {
    await this.#conversations.endCurrent(await this.#key(pipelineUuid, place, person));
  }

  async connections(pipelineUuid: string): Promise<{ all: PlatformConnection[]; own: PlatformConnection[] }> {
    await this.#pipelines.get(pipelineUuid);
    const all = (await this.#socketBots()).flatMap((bot) => bot.adapter.connections?.() ?? []);
    return { all, own: all.filter((connection) => connection.pipeline_uuid === pipelineUuid) };
  }

  async broadcast(pipelineUuid: string, message: unknown): Promise<void> {
    await this.#pipelines.get(pipelineUuid);
    for (const bot of await this.#socketBots()) bot.adapter.broadcast?.(pipelineUuid, message);
  }

  async #key(pipelineUuid: string, place: WebChatPlace, person: WebChatPerson): Promise<ConversationKey> {
    const pipeline = await this.#pipelines.get(pipelineUuid);
    const bot = await this.#botFor(pipeline.uuid);
    return {
      bot_uuid: bot.uuid,
      pipeline_uuid: pipeline.uuid,
      session_type: place.session_type,
      session_id: sessionIdOf(place.session_type, person.id),
      thread_id: threadOf(place),
    };
  }

  /** The bot bound to the pipeline, else the oldest one that takes sockets. */
  async #botFor(pipelineUuid: string): Promise<RunningBot> {
    const candidates = await this.#socketBotRecords();
    const chosen = candidates.find((bot) => bot.use_pipeline_uuid === pipelineUuid) ?? candidates[0];
    if (chosen === undefined) throw new ParleyError('bot_disabled', 'No web chat bot is switched on');
    return this.#runtime.running(chosen.uuid);
  }

  async #socketBots(): Promise<RunningBot[]> {
    return (await this.#socketBotRecords()).map((bot) => this.#runtime.running(bot.uuid));
  }

  async #socketBotRecords(): Promise<Bot[]> {
    const bots = await this.#bots.list();
    return bots.filter(
      (bot) => bot.enable && this.#runtime.isRunning(bot.uuid) && this.#runtime.platform(bot.adapter)?.sockets === true,
    );
  }
}

function sessionIdOf(sessionType: SessionType, personId: string): string {
  return sessionType === 'person' ? personId : groupId;
}

/** Each draft, version and model has a conversation of its own. */
function threadOf({ trial, compared }: Pick<WebChatPlace, 'trial' | 'compared'>): string {
  if (trial === null) return '';
  const { version, model_uuid } = trial;
  const state = version === undefined ? [] : [version === 'draft' ? version : `version-${version}`];
  return [
    ...(compared ? ['compared'] : []),
    ...state,
    ...(model_uuid === undefined ? [] : [`model-${model_uuid}`]),
  ].join('/');
}

function sourcesOf(citations: readonly Citation[] = []): Pick<WebChatMessage, 'citations'> {
  if (citations.length === 0) return {};
  const sources = new Map(
    citations.map(({ number, source }) => {
      const { file_name = '', page = null, page_end = null } = source ?? {};
      return [number, { number, file_name, page, page_end }];
    }),
  );
  return { citations: [...sources.values()] };
}

/** @param isFailed whether it is a notice of a failure; other notices are in the same state */
function shown(message: Message, isFailed: boolean): WebChatMessage {
  return {
    id: message.sequence,
    uuid: message.uuid,
    role: message.direction === 'inbound' ? 'user' : 'assistant',
    content: storableText(textOfChain(message.message_chain)),
    message_chain: message.message_chain,
    timestamp: message.created_at,
    is_final: message.state !== 'writing',
    ...(isFailed ? { is_failed: true as const } : {}),
    connection_id: '',
  };
}
