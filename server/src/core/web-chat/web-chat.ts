import {
  type Citation,
  type MessageChain,
  type PipelineTrial,
  problemError,
  type SessionType,
  textOfChain,
} from '@parley/sdk';
import type { BrowserSocket, PlatformConnection } from '@parley/sdk/internal';
import { storableText } from '../../lib/storable-text.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { Bot } from '../bots/bot.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { BotStore } from '../bots/bot-store.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ConversationKey } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { Cancellations } from '../messages/cancellations.ts';
import { isStoppedByUser, type Message } from '../messages/message.ts';
import type { MessageHistory } from '../messages/message-history.ts';
import type { MessageReader } from '../messages/message-reader.ts';
import { type StoppingParts, stopAnswers } from '../messages/stop-answers.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';
import type { OtherReplicas } from '../replicas/other-replicas.ts';
import type { CallPrincipal } from '../replicas/peer-calls.ts';
import type {
  ChatConversation,
  ChatConversationPlace,
  ChatConversationQuery,
  ChatConversationStore,
  ReplacedRange,
} from './chat-conversation-store.ts';

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
  /** Separates several conversations, see {@link threadOf}; null for the first one. */
  conversation: string | null;
}

/** A conversation of a user in the list. */
export interface ListedConversation {
  uuid: string;
  pipeline_uuid: string;
  /** Its name in the addresses of the web chat. */
  conversation: string;
  title: string;
  created_at: string;
  updated_at: string;
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
  /** Present on a question whose answer was stopped, and on the start of that answer. */
  is_stopped?: true;
  /** Present on a question that waits for its answer. */
  is_pending?: true;
  /** Present when another message replaced it, or a message before it. */
  is_replaced?: true;
  /** Uuid of the message that it replaces. */
  replaces?: string;
  connection_id: string;
  /** The sources that an answer cites, by their numbers in it; absent without any. */
  citations?: { number: number; file_name: string; page: number | null; page_end: number | null }[];
}

export interface WebChatOptions extends StoppingParts {
  bots: BotStore;
  runtime: BotRuntime;
  pipelines: PipelineService;
  conversations: Pick<ConversationStore, 'current' | 'end' | 'endCurrent'>;
  chats: ChatConversationStore;
  history: Pick<MessageHistory, 'shown'>;
  reader: Pick<MessageReader, 'citations'>;
  cancellations: Pick<Cancellations, 'cancelHere' | 'cancelElsewhere' | 'cancelOf'>;
  others: Pick<OtherReplicas, 'ask'>;
  /** Has other replicas show a notice. */
  broadcastElsewhere: (pipelineUuid: string, message: unknown) => void;
}

/** After all messages of a conversation. */
const anyPlace = 2 ** 31 - 2;

/** Chatting with a pipeline from a browser, through a bot whose platform takes sockets. */
export class WebChat {
  readonly #options: WebChatOptions;

  constructor(options: WebChatOptions) {
    this.#options = options;
  }

  /** @throws ParleyError `not_found` for the pipeline, `bot_disabled` when no bot takes sockets */
  async connect(
    socket: Omit<BrowserSocket, 'session_id' | 'thread_id' | 'stop' | 'replace'>,
    conversation: string | null,
  ): Promise<void> {
    const { pipeline_uuid, session_type, person_id, trial } = socket;
    await this.#options.pipelines.get(pipeline_uuid);
    const bot = await this.#botFor(pipeline_uuid);
    const session_id = sessionIdOf(session_type, person_id);
    const thread_id = threadOf(trial, conversation);
    const key = { bot_uuid: bot.uuid, pipeline_uuid, session_type, session_id, thread_id };
    bot.adapter.acceptBrowser?.({
      ...socket,
      session_id,
      thread_id,
      stop: (messageUuid) => this.#stop(key, person_id, messageUuid),
      replace: (messageUuid, replacement) => this.#replace(key, person_id, messageUuid, replacement),
    });
  }

  /** The messages of the current conversation, oldest first. */
  async messages(pipelineUuid: string, place: WebChatPlace, person: WebChatPerson): Promise<WebChatMessage[]> {
    const { conversations, history, reader, chats } = this.#options;
    const conversation = await conversations.current(await this.#key(pipelineUuid, place, person));
    if (conversation === null) return [];
    const messages = await history.shown(conversation.uuid, viewLimit);
    const citations = await reader.citations(messages.flatMap(({ reply_to }) => reply_to ?? []));
    const replaced = await chats.replaced(conversation.uuid);
    const questions = new Map(messages.map((message) => [message.uuid, message]));
    return messages.map((message) => ({
      ...shown(message, questions.get(message.reply_to ?? ''), replaced),
      ...sourcesOf(citations.get(message.reply_to ?? '')),
    }));
  }

  /** Starts a new conversation with an empty view and history. */
  async reset(pipelineUuid: string, place: WebChatPlace, person: WebChatPerson): Promise<void> {
    await this.#options.conversations.endCurrent(await this.#key(pipelineUuid, place, person));
  }

  /** The conversations of a user, latest message first. @param search matches titles and texts; empty for all */
  async list(
    person: WebChatPerson,
    { search, after, limit }: Pick<ChatConversationQuery, 'search' | 'after' | 'limit'>,
  ): Promise<{ conversations: ListedConversation[]; next: ChatConversationPlace | null }> {
    const bots = await this.#chatBots();
    const { conversations, next } = await this.#options.chats.list({
      bots,
      person_id: person.id,
      search,
      after,
      limit,
    });
    return { conversations: conversations.map(listed), next };
  }

  /** @param title empty for the start of the first message. @throws ParleyError `not_found` also for those of other users */
  async rename(uuid: string, title: string, person: WebChatPerson): Promise<ListedConversation> {
    const conversation = await this.#own(uuid, person);
    await this.#options.chats.rename(uuid, title);
    return listed({ ...conversation, title });
  }

  /** Ends a conversation, which removes it from the list, and stops its answers. @throws ParleyError as {@link rename} */
  async remove(uuid: string, person: WebChatPerson): Promise<void> {
    await this.#own(uuid, person);
    await this.#stopIn(uuid, null);
    await this.#options.conversations.end(uuid);
  }

  async #own(uuid: string, person: WebChatPerson): Promise<ChatConversation> {
    const found = await this.#options.chats.find(uuid, await this.#chatBots(), person.id);
    if (found === null) throw problemError('chat_conversation_not_found');
    return found;
  }

  async #stop(key: ConversationKey, personId: string, messageUuid: string | null): Promise<number | null> {
    const conversation = await this.#options.conversations.current(key);
    if (conversation === null) return null;
    if (key.session_type === 'person') return this.#stopIn(conversation.uuid, messageUuid);
    return this.#stopTheirs(conversation.uuid, personId, anyPlace);
  }

  /** In a group, users stop only the answers to their own messages. */
  #stopTheirs(conversationUuid: string, personId: string, lastSequence: number): Promise<number | null> {
    const before = lastSequence + 1;
    return this.#options.cancellations.cancelOf(conversationUuid, personId, { before, reason: 'cancelled' });
  }

  async #stopIn(conversationUuid: string, messageUuid: string | null): Promise<number | null> {
    const last = await this.#options.chats.question(conversationUuid, messageUuid);
    if (last === null) return null;
    await stopAnswers(this.#options, conversationUuid, last.sequence + 1, 'cancelled');
    return last.sequence;
  }

  async #replace(
    key: ConversationKey,
    personId: string,
    messageUuid: string,
    replacement: string,
  ): Promise<MessageChain> {
    const { conversations, chats } = this.#options;
    const conversation = await conversations.current(key);
    const question = conversation && (await chats.question(conversation.uuid, messageUuid));
    if (conversation === null || question?.sender_id !== personId) {
      throw problemError('message_to_replace_not_found');
    }
    const range = await chats.replaceFrom(conversation.uuid, question.sequence, replacement);
    if (range === null) throw problemError('message_replaced');
    const { last_sequence: last } = range;
    if (key.session_type === 'group') await this.#stopTheirs(conversation.uuid, personId, last);
    else await stopAnswers(this.#options, conversation.uuid, last + 1, 'cancelled');
    return question.message_chain;
  }

  /** Open connections, without those of replicas that cannot be reached. @param principal who asks for them */
  async connections(
    pipelineUuid: string,
    principal: CallPrincipal,
  ): Promise<{ all: PlatformConnection[]; own: PlatformConnection[] }> {
    await this.#options.pipelines.get(pipelineUuid);
    const [here, elsewhere] = await Promise.all([
      this.connectionsHere(),
      this.#options.others.ask('chat_connections', {}, principal),
    ]);
    // They answer with what they list.
    const all = [...here, ...elsewhere.flatMap(({ answer }) => (answer ?? []) as PlatformConnection[])];
    return { all, own: all.filter((connection) => connection.pipeline_uuid === pipelineUuid) };
  }

  /** Those of this replica. */
  async connectionsHere(): Promise<PlatformConnection[]> {
    return (await this.#socketBots()).flatMap((bot) => bot.adapter.connections?.() ?? []);
  }

  /** Shows a notice to all connections. @param message JSON */
  async broadcast(pipelineUuid: string, message: unknown): Promise<void> {
    await this.#options.pipelines.get(pipelineUuid);
    await this.broadcastHere(pipelineUuid, message);
    this.#options.broadcastElsewhere(pipelineUuid, message);
  }

  /** Shows it to the connections of this replica. */
  async broadcastHere(pipelineUuid: string, message: unknown): Promise<void> {
    for (const bot of await this.#socketBots()) bot.adapter.broadcast?.(pipelineUuid, message);
  }

  async #key(pipelineUuid: string, place: WebChatPlace, person: WebChatPerson): Promise<ConversationKey> {
    const pipeline = await this.#options.pipelines.get(pipelineUuid);
    const bot = await this.#botFor(pipeline.uuid);
    return {
      bot_uuid: bot.uuid,
      pipeline_uuid: pipeline.uuid,
      session_type: place.session_type,
      session_id: sessionIdOf(place.session_type, person.id),
      thread_id: threadOf(place.trial, place.conversation),
    };
  }

  /** The bot bound to the pipeline, else the oldest one that takes sockets. */
  async #botFor(pipelineUuid: string): Promise<RunningBot> {
    const candidates = await this.#socketBotRecords();
    const chosen = candidates.find((bot) => bot.use_pipeline_uuid === pipelineUuid) ?? candidates[0];
    if (chosen === undefined) throw problemError('web_chat_disabled');
    return this.#options.runtime.running(chosen.uuid);
  }

  async #socketBots(): Promise<RunningBot[]> {
    return (await this.#socketBotRecords()).map((bot) => this.#options.runtime.running(bot.uuid));
  }

  async #socketBotRecords(): Promise<Bot[]> {
    const { bots, runtime } = this.#options;
    return (await bots.list()).filter(
      (bot) => bot.enable && runtime.isRunning(bot.uuid) && runtime.platform(bot.adapter)?.sockets === true,
    );
  }

  /** Uuids of the bots that take sockets, also while they are disabled. */
  async #chatBots(): Promise<string[]> {
    const { bots, runtime } = this.#options;
    const all = await bots.list();
    return all.filter((bot) => runtime.platform(bot.adapter)?.sockets === true).map(({ uuid }) => uuid);
  }
}

function sessionIdOf(sessionType: SessionType, personId: string): string {
  return sessionType === 'person' ? personId : groupId;
}

/** Conversations with a uuid as name are those of the list. */
const listedPrefix = 'chat-';
/** Name of the first conversation, which clients without names have as well. */
const firstConversation = 'default';
const longestTitle = 80;

/** Each draft, version and model has conversations of its own. Prefixes keep names of clients apart from those. */
function threadOf(trial: PipelineTrial | null, conversation: string | null): string {
  const { version, model_uuid } = trial ?? {};
  const isFirst = conversation === null || conversation === firstConversation;
  return [
    ...(isFirst ? [] : [`${isUuid(conversation) ? listedPrefix : 'aside-'}${conversation}`]),
    ...(version === undefined ? [] : [version === 'draft' ? version : `version-${version}`]),
    ...(model_uuid === undefined ? [] : [`model-${model_uuid}`]),
  ].join('/');
}

function listed(conversation: ChatConversation): ListedConversation {
  const { uuid, pipeline_uuid, thread_id, title, first_text, created_at, updated_at } = conversation;
  const name = thread_id === '' ? firstConversation : thread_id.slice(listedPrefix.length);
  // Without the placeholders of files behind it.
  const [written = ''] = first_text.split(/\[(?:File|Image|Voice)\]/, 1);
  const start = (written.trim() || first_text).replace(/\s+/g, ' ').trim();
  const shortened = start.length > longestTitle ? `${start.slice(0, longestTitle).trimEnd()}…` : start;
  return {
    uuid,
    pipeline_uuid,
    conversation: name,
    title: storableText(title || shortened),
    created_at,
    updated_at,
  };
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

/** @param question the message that it answers, if it is shown as well */
function shown(message: Message, question: Message | undefined, replaced: readonly ReplacedRange[]): WebChatMessage {
  const isInbound = message.direction === 'inbound';
  const isLeft = message.state === 'failed';
  const isFailed = !isInbound && isLeft && question?.state === 'failed';
  const isStart = isLeft || question?.reason === 'answer_stopped';
  const isStopped = isInbound ? isStoppedQuestion(message) : isStart && isStoppedQuestion(question);
  const isPending = message.state === 'received' || message.state === 'processing';
  const place = question?.sequence ?? message.sequence;
  const isReplaced = replaced.some((range) => range.first_sequence <= place && place <= range.last_sequence);
  const { replaces } = message.facts;
  return {
    id: message.sequence,
    uuid: message.uuid,
    role: isInbound ? 'user' : 'assistant',
    content: storableText(textOfChain(message.message_chain)),
    message_chain: message.message_chain,
    timestamp: message.created_at,
    is_final: message.state !== 'writing',
    ...(isFailed ? { is_failed: true as const } : {}),
    ...(isStopped ? { is_stopped: true as const } : {}),
    ...(isPending ? { is_pending: true as const } : {}),
    ...(isReplaced ? { is_replaced: true as const } : {}),
    ...(replaces === undefined ? {} : { replaces }),
    connection_id: '',
  };
}

function isStoppedQuestion(question: Message | undefined): boolean {
  return question !== undefined && isStoppedByUser(question);
}
