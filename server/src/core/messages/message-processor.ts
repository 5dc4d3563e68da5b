import {
  type ConversationTurn,
  type Logger,
  type MessageChain,
  ParleyError,
  type PipelineConfig,
  type Runner,
  type RunnerContext,
  type RunnerDelta,
  type RunnerRequest,
} from '@parley/sdk';
import type { BotRuntime, RunningBot } from '../bots/bot-runtime.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';
import { AnswerStream } from './answer-stream.ts';
import { undelivered } from './delivery-event.ts';
import type { Message } from './message.ts';
import type { DeliveryOutcome, MessageOutcome, MessageStore } from './message-store.ts';

export interface MessageProcessorOptions {
  runners: readonly Runner[];
  openModel: RunnerContext['openModel'];
  logger: Logger;
}

/** Runs one message through its pipeline and delivers the answer. */
export class MessageProcessor {
  readonly #store: MessageStore;
  readonly #bots: BotRuntime;
  readonly #pipelines: PipelineService;
  readonly #options: MessageProcessorOptions;
  readonly #runners: ReadonlyMap<string, Runner>;

  constructor(store: MessageStore, bots: BotRuntime, pipelines: PipelineService, options: MessageProcessorOptions) {
    this.#store = store;
    this.#bots = bots;
    this.#pipelines = pipelines;
    this.#options = options;
    this.#runners = new Map(options.runners.map((runner) => [runner.name, runner]));
  }

  /**
   * Every way out leaves a reason on the message, or the message in the queue while its bot is not connected.
   * @throws the signal's reason when it was aborted; the message then still waits for its answer
   */
  async process(message: Message, signal: AbortSignal): Promise<void> {
    if (!this.#bots.isRunning(message.bot_uuid)) return this.#withoutBot(message);
    const bot = this.#bots.running(message.bot_uuid);
    const config = message.pipeline_uuid === '' ? null : await this.#pipelines.configForRun(message.pipeline_uuid);
    if (config === null) return this.#stop(message, 'no_pipeline');

    const answer = await this.#store.beginAnswer(message);
    const stream = new AnswerStream(bot, answer, this.#options.logger);
    let text = '';
    let failure: ParleyError | null = null;
    try {
      for await (const delta of this.#run(message, config, signal)) {
        text += delta;
        await stream.update(text);
      }
    } catch (error) {
      signal.throwIfAborted();
      failure = this.#asFailure(message, error);
      const notice = failureNotice(config, failure);
      text = text === '' || notice === '' ? text + notice : `${text}\n\n${notice}`;
    }
    if (text === '' && !stream.begun) {
      return this.#store.settle(message.uuid, outcomeOf(failure), null);
    }
    const chain: MessageChain = [{ type: 'Plain', text }];
    await this.#store.finishAnswer(answer.uuid, chain, text, failure === null ? 'finished' : 'failed');
    const delivery = await this.#deliver(bot, message, () => stream.finish(chain));
    await this.#store.settle(message.uuid, outcomeOf(failure ?? deliveryFailure(delivery)), {
      uuid: answer.uuid,
      delivery,
    });
  }

  async *#run(message: Message, config: PipelineConfig, signal: AbortSignal): AsyncIterable<string> {
    const name = config.ai.runner.runner;
    const runner = this.#runners.get(name);
    if (runner === undefined) {
      throw new ParleyError('runner_not_found', `The pipeline names a runner that is not installed: ${name}`);
    }
    const groups = config.ai as Record<string, Record<string, unknown>>;
    const request: RunnerRequest = {
      config: groups[name] ?? {},
      history: await this.#history(message, config),
      text: message.text,
      variables: variablesOf(message),
      signal,
    };
    const context: RunnerContext = { openModel: this.#options.openModel, logger: this.#options.logger };
    yield* withThoughts(runner.answer(request, context), !config.output.misc['remove-think']);
  }

  async #history(message: Message, config: PipelineConfig): Promise<ConversationTurn[]> {
    const rounds = config.ai['local-agent']['max-round'];
    const earlier = await this.#store.history(message.conversation_uuid, message.sequence, rounds);
    return earlier.map((turn) => ({ role: turn.direction === 'inbound' ? 'user' : 'assistant', text: turn.text }));
  }

  async #deliver(bot: RunningBot, message: Message, send: () => Promise<void>): Promise<DeliveryOutcome> {
    try {
      await send();
      return { state: 'sent', reason: null, error: null };
    } catch (error) {
      const failure = error instanceof ParleyError ? error : new ParleyError('platform_failed', 'Sending failed');
      this.#options.logger.error({ bot: bot.uuid, message: message.uuid, error }, 'an answer could not be delivered');
      this.#bots.tell(bot.uuid, undelivered(message, failure));
      return { state: 'failed', reason: failure.reason, error: failure.message };
    }
  }

  #asFailure(message: Message, error: unknown): ParleyError {
    if (error instanceof ParleyError) {
      this.#options.logger.warn({ message: message.uuid, reason: error.reason }, error.message);
      return error;
    }
    this.#options.logger.error({ message: message.uuid, error }, 'the runner failed unexpectedly');
    return new ParleyError('internal', 'An unexpected fault', { cause: error });
  }

  /** A bot that is switched on will be connected again, and its messages wait for that. */
  async #withoutBot(message: Message): Promise<void> {
    const reason = await this.#bots.absence(message.bot_uuid);
    if (reason === 'bot_not_running') await this.#store.release(message.uuid);
    else await this.#stop(message, reason);
  }

  #stop(message: Message, reason: 'not_found' | 'bot_disabled' | 'no_pipeline'): Promise<void> {
    return this.#store.settle(message.uuid, { state: 'stopped', reason }, null);
  }
}

/** The text of an answer, with what the model thought aloud between tags, or without it. */
async function* withThoughts(deltas: AsyncIterable<RunnerDelta>, shown: boolean): AsyncIterable<string> {
  let thinking = false;
  try {
    for await (const delta of deltas) {
      if (delta.type === 'usage' || (delta.type === 'reasoning' && !shown)) continue;
      const isThought = delta.type === 'reasoning';
      if (isThought === thinking) yield delta.text;
      else yield isThought ? `<think>\n${delta.text}` : `${endOfThought}\n\n${delta.text}`;
      thinking = isThought;
    }
  } catch (error) {
    // What is said of the failure is no thought.
    if (thinking) yield endOfThought;
    throw error;
  }
  if (thinking) yield endOfThought;
}

const endOfThought = '\n</think>';

function outcomeOf(failure: ParleyError | null): MessageOutcome {
  return failure === null ? { state: 'answered', reason: 'answered' } : { state: 'failed', reason: failure.reason };
}

function deliveryFailure(delivery: DeliveryOutcome): ParleyError | null {
  if (delivery.state === 'sent') return null;
  return new ParleyError(delivery.reason ?? 'platform_failed', delivery.error ?? 'Sending failed');
}

function failureNotice(config: PipelineConfig, failure: ParleyError): string {
  const { 'exception-handling': handling, 'failure-hint': hint } = config.output.misc;
  if (handling === 'hide') return '';
  return handling === 'show-error' ? failure.message : hint;
}

function variablesOf(message: Message): Record<string, string> {
  return {
    launcher_type: message.session_type,
    launcher_id: message.session_id,
    sender_id: message.sender_id,
    sender_name: message.sender_name,
    session_id: `${message.session_type}_${message.session_id}`,
    conversation_id: message.conversation_uuid,
    msg_create_time: String(Math.floor(Date.parse(message.created_at) / 1000)),
    user_message_text: message.text,
  };
}
