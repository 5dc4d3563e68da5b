import {
  type ConversationContext,
  type MessageChain,
  type MessageEvent,
  type MessageReceipt,
  ParleyError,
  reasons,
} from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { BotStore } from '../bots/bot-store.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { StateEvents } from '../events/state-events.ts';
import type { FileService } from '../files/file-service.ts';
import type { MessageOutcome } from '../messages/message-ledger.ts';
import type { MessageReader, MessageStory } from '../messages/message-reader.ts';
import { CallerLimit } from './caller-limit.ts';
import type { ModelDirectory } from './model-directory.ts';
import type { ModelAnswer, ModelApiCaller, ModelQuestion } from './model-question.ts';
import type { QuestionPlace, ResponseChain } from './response-chain.ts';
import type { WaitingCaller, WaitingCallers } from './waiting-callers.ts';

/** Name of the platform whose one bot receives the requests of programs. */
export const modelApiPlatform = 'model-api';

export interface ModelApiOptions {
  bots: Pick<BotStore, 'list'>;
  runtime: Pick<BotRuntime, 'isRunning'>;
  receive: (botUuid: string, event: MessageEvent) => Promise<MessageReceipt>;
  reader: Pick<MessageReader, 'find' | 'story'>;
  conversations: Pick<ConversationStore, 'end'>;
  files: Pick<FileService, 'storeMedia'>;
  events: Pick<StateEvents, 'watchOwn'>;
  models: ModelDirectory;
  chain: ResponseChain;
  callers: WaitingCallers;
  /** Longest time that a program waits for an answer, milliseconds. Default 10 minutes. */
  patienceMs?: number;
}

/** A stored request with its pending answer. */
export interface EvaluatedQuestion {
  /** The stored message. */
  uuid: string;
  /** ISO 8601 UTC. */
  created_at: string;
  /** @throws ParleyError with the reason why there is no answer */
  answer: Promise<ModelAnswer>;
  /** As much of the answer as can be shown. */
  growing(): string;
  /** @param grew called when there is more to show */
  onGrowth(grew: () => void): void;
  /** The program has disconnected: the answer is cancelled. */
  leave(): void;
}

const defaultPatience = 600_000;
const ends: readonly unknown[] = ['answered', 'stopped', 'failed'] satisfies MessageOutcome['state'][];

/** Pipelines as models, for programs. Their requests are processed like any message. */
export class ModelApi {
  readonly #options: ModelApiOptions;
  readonly #limit = new CallerLimit();
  /** By the uuid of the stored message. */
  readonly #callers = new Map<string, WaitingCaller>();
  #botUuid: string | null = null;

  constructor(options: ModelApiOptions) {
    this.#options = options;
    options.events.watchOwn(({ type, data }) => {
      if (type === 'message') this.#observe(data);
    });
  }

  get models(): ModelDirectory {
    return this.#options.models;
  }

  /**
   * Stores the request of a program.
   * @throws ParleyError `not_found` for the model or the previous response, `too_many_requests`, `too_large`,
   * `not_ready`; nothing is stored then
   */
  async ask(question: ModelQuestion, from: ModelApiCaller): Promise<EvaluatedQuestion> {
    const { models, chain } = this.#options;
    const model = await models.find(question.model);
    const bot_uuid = await this.#bot();
    const leaveLimit = this.#limit.enter(from.id);
    try {
      const placing = { from, bot_uuid, pipeline_uuid: model.uuid, leaveLimit };
      const session_id = question.user === null ? from.id : `${from.id}/${question.user}`;
      const place = await chain.place(question, { bot_uuid, pipeline_uuid: model.uuid, session_id, owner: from.id });
      const stored = await this.#store(question, { ...placing, session_id, place });
      if (stored !== null) return stored;
      // Another question was stored there first.
      const aside = (await place.aside?.()) ?? place;
      const storedAside = await this.#store(question, { ...placing, session_id, place: aside });
      if (storedAside === null) throw new Error('a message of the model API has the id of another one');
      return storedAside;
    } catch (error) {
      leaveLimit();
      throw error;
    }
  }

  /** @returns null when there is another question with its id */
  async #store(
    question: ModelQuestion,
    { from, bot_uuid, pipeline_uuid, session_id, place, leaveLimit }: Placing,
  ): Promise<EvaluatedQuestion | null> {
    const { receive, reader, callers } = this.#options;
    const { platform_message_id: id, thread_id, context } = place;
    if (callers.find(id) !== null) return null;
    const caller = callers.open(id);
    try {
      const message_chain = await this.#withStoredMedia(question.message_chain);
      const { uuid, created_at, outcome } = await receive(bot_uuid, {
        platform_message_id: id,
        session_type: 'person',
        session_id,
        thread_id,
        sender_id: session_id,
        sender_name: question.user ?? from.name,
        message_chain,
        pipeline_uuid,
        ...(saysNothing(context) ? {} : { context }),
      });
      if (outcome === 'repeated') {
        callers.close(id);
        return null;
      }
      this.#callers.set(uuid, caller);
      // It may have ended before the caller was registered.
      const found = await reader.find(uuid);
      if (found !== null) this.#observe({ ...found.message });
      const conversation = question.isStored ? null : (found?.message.conversation_uuid ?? null);
      const close = () => {
        callers.close(id);
        leaveLimit();
      };
      const answer = this.#answer(uuid, caller, { conversation, close });
      answer.catch(() => undefined);
      return {
        uuid,
        created_at,
        answer,
        growing: () => caller.partial,
        onGrowth: (grew) => caller.onGrowth(grew),
        leave: () => caller.leave(new ParleyError('client_closed_request', reasons.client_closed_request)),
      };
    } catch (error) {
      callers.close(id);
      throw error;
    }
  }

  async #answer(
    uuid: string,
    caller: WaitingCaller,
    { conversation, close }: { conversation: string | null; close: () => void },
  ): Promise<ModelAnswer> {
    const { patienceMs = defaultPatience, conversations, reader } = this.#options;
    const timer = setTimeout(
      () => caller.leave(new ParleyError('time_limit', 'The answer took longer than it may')),
      patienceMs,
    );
    try {
      const outcome = await caller.ended;
      const story = await reader.story(uuid);
      if (outcome.state !== 'answered') throw refusalOf(outcome, caller.text, story);
      return answerOf(caller.text, story);
    } finally {
      clearTimeout(timer);
      this.#callers.delete(uuid);
      close();
      // The conversation is not continued.
      if (conversation !== null) await conversations.end(conversation).catch(() => false);
    }
  }

  #observe({ uuid, direction, state, reason }: Record<string, unknown>): void {
    if (direction !== 'inbound' || !ends.includes(state)) return;
    this.#callers.get(String(uuid))?.end({ state, reason } as MessageOutcome);
  }

  /** Files are in the service's own storage, outside of the ledger. */
  async #withStoredMedia(chain: MessageChain): Promise<MessageChain> {
    const stored: MessageChain = [];
    for (const element of chain) {
      if ((element.type !== 'Image' && element.type !== 'File') || !element.base64) {
        stored.push(element);
        continue;
      }
      const { base64, ...rest } = element;
      const name = (element.type === 'File' && element.name) || 'image';
      const { path, url, size } = await this.#options.files.storeMedia(name, piecesOf(base64));
      stored.push(
        element.type === 'Image'
          ? { ...rest, type: 'Image', path, url: url ?? null }
          : { ...rest, type: 'File', path, size },
      );
    }
    return stored;
  }

  /** @throws ParleyError `not_ready` */
  async #bot(): Promise<string> {
    const { bots, runtime } = this.#options;
    this.#botUuid ??= (await bots.list()).find(({ adapter }) => adapter === modelApiPlatform)?.uuid ?? null;
    if (this.#botUuid !== null && runtime.isRunning(this.#botUuid)) return this.#botUuid;
    throw new ParleyError('not_ready', 'The model API is not running');
  }
}

/** Where a question goes, and who asks it. */
interface Placing {
  from: ModelApiCaller;
  bot_uuid: string;
  pipeline_uuid: string;
  session_id: string;
  place: QuestionPlace;
  /** Called when the caller waits no more. */
  leaveLimit: () => void;
}

function saysNothing({ history, instructions }: ConversationContext): boolean {
  return history.length === 0 && instructions === '';
}

async function* piecesOf(base64: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(base64, 'base64');
}

function answerOf(text: string, story: MessageStory | null): ModelAnswer {
  const calls = story?.model_calls ?? [];
  const steps = story?.trace?.gates ?? [];
  const answered = steps.slice(steps.findIndex(({ name }) => name === 'runner') + 1);
  return {
    text,
    finish_reason: answered.some(({ reason }) => reason === 'sensitive_word') ? 'content_filter' : 'stop',
    usage: {
      input_tokens: calls.reduce((sum, call) => sum + call.input_tokens, 0),
      output_tokens: calls.reduce((sum, call) => sum + call.output_tokens, 0),
    },
  };
}

/** @param notice the reply of the pipeline instead of an answer */
function refusalOf({ reason }: MessageOutcome, notice: string, story: MessageStory | null): ParleyError {
  const word = reason === 'answered' ? 'internal' : reason;
  const until = story?.trace?.gates.at(-1)?.details.until;
  const wait = typeof until === 'string' ? Math.ceil((Date.parse(until) - present()) / 1000) : Number.NaN;
  return new ParleyError(word, notice || reasons[word], wait > 0 ? { retryAfterSeconds: wait } : {});
}
