import {
  type CitationReport,
  type Logger,
  type MessageChain,
  type ModelCall,
  ParleyError,
  type PipelineMessage,
  type Reason,
  type Retrieval,
  textOfChain,
} from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { followSignals } from '../../lib/follow-signals.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { SendHolds } from '../bots/send-holds.ts';
import type { CostOf } from '../models/model-price-service.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import type { PipelineService, RunState } from '../pipelines/pipeline-service.ts';
import { AnswerDelivery, type AnswerDeliveryOptions } from './answer-delivery.ts';
import { AnswerWriter } from './answer-writer.ts';
import type { DeliveryLedger, StoredAnswer } from './delivery-ledger.ts';
import type { ClaimedMessage, Message } from './message.ts';
import { belongsToHistory } from './message-history.ts';
import type { MessageLedger, MessageOutcome } from './message-ledger.ts';
import type { MessagePlugins, PluginListeners } from './message-plugins.ts';
import type { ModelRequests } from './model-requests.ts';
import { isOutcome, isShown, type PipelineOutcome, type PipelineRun, partialRemains } from './pipeline-run.ts';
import {
  applyStages,
  askWebhooks,
  fetchMedia,
  finishParts,
  generateAnswer,
  nameSender,
  type PipelineParts,
  type PipelineStep,
  passAnswer,
  passListeners,
  prepareFilters,
  prepareStream,
  readContext,
  runCommand,
  showTyping,
} from './pipeline-steps.ts';
import { PipelineTrace } from './pipeline-trace.ts';
import { splitForPlatform } from './platform-split.ts';
import type { ReplyDelivery } from './reply-delivery.ts';
import type { RunningAnswers } from './running-answers.ts';
import { createStageContext, pipelineMessage } from './stage-context.ts';
import { Typing } from './typing.ts';

export interface MessageProcessorOptions extends Omit<PipelineParts, 'delivery'>, AnswerDeliveryOptions {
  messages: Pick<MessageLedger, 'hurry' | 'release' | 'settle' | 'waitingBehind'>;
  deliveries: DeliveryLedger;
  holds: SendHolds;
  bots: BotRuntime;
  pipelines: Pick<PipelineService, 'stateForRun' | 'configOf'>;
  running: RunningAnswers;
  plugins: MessagePlugins;
  replies: Pick<ReplyDelivery, 'finish' | 'has'>;
  modelRequests: Pick<ModelRequests, 'keep'>;
  logger: Logger;
}

/** What a message needs to go through its pipeline. */
interface Admission {
  bot: RunningBot;
  config: PipelineConfig;
  /** What the configuration is of. */
  state: RunState;
  earlier: StoredAnswer | null;
  /** Aborted when the caller that waits for the answer leaves; null if a platform does not know. */
  attention: AbortSignal | null;
  costOf: CostOf;
}

/** As in a {@link PipelineRun}; `signal` is aborted with either. */
interface RunSignals extends Pick<PipelineRun, 'stopping' | 'cancelled'> {
  signal: AbortSignal;
}

/** The steps of a message through its pipeline, in this order, until one ends the message or has it wait. */
const steps: readonly PipelineStep[] = [
  askWebhooks,
  fetchMedia,
  nameSender,
  readContext,
  prepareFilters,
  passListeners,
  applyStages,
  runCommand,
  showTyping,
  prepareStream,
  generateAnswer,
];

/** How long a message waits at least for its replies, milliseconds. */
const leastWait = 1000;

/** Replaces a partly shown answer that must not be sent. */
const nothing: MessageChain = [{ type: 'Plain', text: '…' }];

/** Processes claimed messages: whether one is answered now, its way through its pipeline, and what follows from that. */
export class MessageProcessor {
  readonly #options: MessageProcessorOptions;
  readonly #delivery: AnswerDelivery;

  constructor(options: MessageProcessorOptions) {
    this.#options = options;
    this.#delivery = new AnswerDelivery(options);
  }

  /**
   * Every way out leaves a reason on the message, or the message in the queue while its bot is not connected.
   * @throws the signal's reason when it was aborted; the message then still waits for its answer
   */
  async process(message: ClaimedMessage, stopping: AbortSignal): Promise<void> {
    const admission = await this.#admit(message);
    if (isOutcome(admission)) {
      const end = await this.#conclude(message, admission, stopping);
      if (admission.type === 'resumes') await this.#tellOfResumed(message, admission, end, stopping);
      return;
    }
    const { running } = this.#options;
    await running.run(message, async (byUser) => {
      const cancelled = admission.attention === null ? byUser : AbortSignal.any([byUser, admission.attention]);
      const { signal, release } = followSignals([stopping, cancelled]);
      const run = this.#begin(message, admission, { stopping, cancelled, signal });
      const parts = { ...this.#options, delivery: this.#delivery };
      try {
        const outcome = await runPipeline(run, parts).finally(() => {
          run.typing.end();
          release();
        });
        const [end] = await Promise.all([
          this.#conclude(message, await this.#afterReplies(run, outcome), stopping),
          this.#keepRequests(run, outcome),
        ]);
        if (outcome.type === 'answers') tellListeners(run.plugins, run.message, end, outcome.answer.pieces);
      } finally {
        this.#options.plugins.end(message);
      }
    });
  }

  /** As {@link tellListeners}, of an answer that an earlier attempt completed. */
  async #tellOfResumed(
    question: ClaimedMessage,
    { bot, stored }: Extract<PipelineOutcome, { type: 'resumes' }>,
    end: MessageOutcome | null,
    stopping: AbortSignal,
  ): Promise<void> {
    const { pipelines, plugins } = this.#options;
    if (end?.state !== 'answered' || !plugins.isUsed || question.pipeline_uuid === '') return;
    const state = await pipelines.stateForRun(question.pipeline_uuid, question.facts.trial?.version);
    if (state === null) return;
    const listeners = plugins.begin({
      question,
      bot,
      preferences: state.stored.extensions_preferences,
      knowledgeBases: [],
      trace: new PipelineTrace(question.attempts),
      addCall: () => undefined,
      stopping,
      signal: stopping,
    });
    const pieces = stored.deliveries.map(({ message_chain }) => message_chain);
    tellListeners(listeners, pipelineMessage(question), end, pieces);
    plugins.end(question);
  }

  /** A message does not end before what plugins replied to it is sent. */
  async #afterReplies({ question, bot, stopping }: PipelineRun, outcome: PipelineOutcome): Promise<PipelineOutcome> {
    const { replies } = this.#options;
    const isLeft = outcome.type === 'ends' || (outcome.type === 'waits' && replies.has(question));
    const hold = isLeft ? await replies.finish(question, bot, stopping) : null;
    if (hold === null || outcome.type === 'waits') return outcome;
    const until = new Date(present() + Math.max(leastWait, hold.milliseconds)).toISOString();
    return { type: 'waits', for: 'chat', wait: { until, reason: hold.reason } };
  }

  /** A message that waits leaves no calls in its trace. */
  async #keepRequests({ question, config, trace }: PipelineRun, outcome: PipelineOutcome): Promise<void> {
    if (trace.requests.size === 0 || outcome.type === 'waits') return;
    await this.#options.modelRequests.keep(question.uuid, trace.requests, config.answers['model-request-days']);
  }

  /** Whether a message goes through its pipeline now. */
  async #admit(message: ClaimedMessage): Promise<Admission | PipelineOutcome> {
    const { answers, bots, pipelines, deliveries, holds } = this.#options;
    if (!bots.isRunning(message.bot_uuid)) return this.#withoutBot(message);
    const bot = bots.running(message.bot_uuid);
    const earlier = message.attempts > 1 ? await deliveries.answerTo(message.uuid) : null;
    // A complete answer is not generated again; the rest of it is sent.
    if (earlier !== null && earlier.message.state !== 'writing') return { type: 'resumes', bot, stored: earlier };
    // No model is called for an answer that cannot be sent.
    const hold = holds.of(message.bot_uuid, message);
    if (hold !== null) {
      const until = new Date(present() + hold.milliseconds).toISOString();
      return { type: 'waits', for: 'chat', wait: { until, reason: hold.reason } };
    }
    const { pipeline_uuid: uuid, facts } = message;
    const state = uuid === '' ? null : await pipelines.stateForRun(uuid, facts.trial?.version);
    if (state === null) return stopped(message, 'pipeline', 'no_pipeline');
    const config = pipelines.configOf(state);
    const id = message.platform_message_id;
    const attention = id === null ? null : (bot.adapter.attention?.(id) ?? null);
    // No work for an absent caller: it disconnected while the message waited, or the process ended.
    if (attention?.aborted) return stopped(message, 'bot', (attention.reason as ParleyError).reason);
    return { bot, config, state, earlier, attention, costOf: await answers.costOf() };
  }

  /** An enabled bot will reconnect, and its messages wait for that. */
  async #withoutBot(message: Message): Promise<PipelineOutcome> {
    const reason = await this.#options.bots.absence(message.bot_uuid);
    return reason === 'bot_not_running' ? { type: 'waits', for: 'bot', wait: null } : stopped(message, 'bot', reason);
  }

  #begin(
    question: ClaimedMessage,
    { bot, config, state, earlier, costOf }: Admission,
    { stopping, cancelled, signal }: RunSignals,
  ): PipelineRun {
    const trace = new PipelineTrace(question.attempts, { version: state.version, draft: state.draft });
    const arrived = pipelineMessage(question);
    const plugins = this.#options.plugins.begin({
      question,
      bot,
      preferences: state.stored.extensions_preferences,
      knowledgeBases: config.shared.knowledgeBases,
      trace,
      addCall: (call) => trace.addCall(call, costOf(call)),
      stopping,
      signal,
    });
    return {
      question,
      bot,
      config,
      trace,
      writer: answerWriter(config, trace, costOf),
      earlier,
      stopping,
      cancelled,
      context: createStageContext(question, bot, signal, this.#options),
      arrived,
      message: arrived,
      filters: [],
      typing: new Typing(),
      plugins,
      merged: [],
      stream: null,
      end: null,
    };
  }

  /** @returns how the message ended; null when it waits */
  async #conclude(
    message: ClaimedMessage,
    outcome: PipelineOutcome,
    stopping: AbortSignal,
  ): Promise<MessageOutcome | null> {
    switch (outcome.type) {
      case 'waits':
        await this.#delivery.release(message, outcome.wait);
        await this.#afterRelease(message, outcome.for);
        return null;
      case 'ends':
        return this.#delivery.end(message, outcome.end, {
          answer: null,
          merged: outcome.merged,
          record: outcome.record,
        });
      case 'answers':
        return this.#delivery.finish(message, outcome, stopping);
      case 'resumes':
        return this.#delivery.resume(message, outcome, stopping);
    }
  }

  async #afterRelease(message: Message, cause: 'bot' | 'chat' | 'webhooks' | 'stage'): Promise<void> {
    const { holds, webhooks, messages } = this.#options;
    if (cause === 'chat') holds.defer(message.bot_uuid, message, message.conversation_uuid);
    if (cause !== 'webhooks') return;
    // They may have responded just before the message was released.
    const { outcome } = await webhooks.outcomeOf(message);
    if (outcome !== 'awaited') await messages.hurry(message.conversation_uuid);
  }
}

function answerWriter({ answers }: PipelineConfig, trace: PipelineTrace, costOf: CostOf): AnswerWriter {
  const showToolCalls = answers['track-function-calls'];
  const recorder = {
    addCall: (call: ModelCall) => trace.addCall(call, costOf(call)),
    addRetrieval: (retrieval: Retrieval) => trace.addRetrieval(retrieval),
    setCitations: (report: CitationReport) => trace.setCitations(report),
  };
  return new AnswerWriter({ showToolCalls }, recorder);
}

/** @throws the signal's reason when the service stops; StorageError when nothing can be stored */
async function runPipeline(start: PipelineRun, parts: PipelineParts): Promise<PipelineOutcome> {
  let run = start;
  try {
    for (const step of steps) {
      const result = await step(run, parts);
      if (isOutcome(result)) return result;
      run = result;
      if (run.end !== null) break;
    }
  } catch (error) {
    const result = afterFailure(run, error, parts.logger);
    if (isOutcome(result)) return result;
    run = result;
  }
  return answerOf(run, parts.logger);
}

function afterFailure(run: PipelineRun, error: unknown, logger: Logger): PipelineRun | PipelineOutcome {
  const { cancelled, config, trace, writer } = run;
  run.stopping.throwIfAborted();
  if (cancelled.aborted) {
    const { reason } = cancelled.reason as ParleyError;
    const end = { state: 'stopped', reason } as const;
    // The start of a cancelled answer is only sent if it is already shown.
    return isShown(run) ? { ...run, end } : silentEnd(run, end);
  }
  if (error instanceof ParleyError && error.reason === 'stopped_by_plugin') {
    const end = { state: 'stopped', reason: error.reason } as const;
    return isShown(run) ? { ...run, end } : silentEnd(run, end);
  }
  const failure = asFailure(run.question, error, logger);
  trace.fail(failure);
  writer.addNotice(failureNotice(config, failure));
  return { ...run, end: { state: 'failed', reason: failure.reason } };
}

/** What was said, after plugins and stages. When one of the stages fails, nothing of it is sent. */
async function answerOf(run: PipelineRun, logger: Logger): Promise<PipelineOutcome> {
  const { writer, merged, trace, stream, bot, config } = run;
  let end = run.end as MessageOutcome;
  let messages: MessageChain[] = [];
  try {
    end = (await passAnswer(run)).end as MessageOutcome;
    if (!writer.isEmpty) messages = await finishParts(run);
  } catch (error) {
    run.stopping.throwIfAborted();
    const failure = asFailure(run.question, error, logger);
    trace.fail(failure);
    const notice = failureNotice(config, failure);
    messages = notice === '' ? [] : [[{ type: 'Plain', text: notice }]];
    end = { state: 'failed', reason: failure.reason };
  }
  const pieces = splitForPlatform(bot, messages, { shown: stream?.shown ?? null, logger });
  if (pieces.length > messages.length) {
    const details = { messages: pieces.length };
    trace.add('split', performance.now(), { outcome: 'changed', reason: 'long_text', details });
  }
  if (pieces.length === 0 && !isShown(run)) return silentEnd(run, end);
  // The shown part of an answer that must not be sent is withdrawn.
  const [first = nothing, ...following] = pieces;
  const isLeft = stream?.canShow(first) === false;
  if (isLeft || stream?.mayLeavePart || partialRemains(run)) {
    trace.add('stream', performance.now(), { outcome: 'changed', reason: 'partial_remains' });
  }
  if (isLeft && pieces.length === 0) {
    await stream?.abandon(end.reason === 'answered' ? 'partial_remains' : end.reason);
    return silentEnd(run, end);
  }
  // What was shown of a stopped answer was said; thoughts and calls of tools alone were not.
  const isStopped = end.reason === 'cancelled' && end.state === 'stopped';
  if (isStopped && pieces.length > 0 && writer.said.trim() !== '') end = { state: 'stopped', reason: 'answer_stopped' };
  const isAnswer = belongsToHistory(end);
  const answer = {
    pieces: [first, ...following],
    text: isAnswer ? writer.said : textOfChain(pieces.flat()),
    state: isAnswer ? ('finished' as const) : ('failed' as const),
    outcome: end,
    merged,
  };
  return { type: 'answers', bot, answer, record: trace.record, stream };
}

/** Only of an answer that was sent. */
function tellListeners(
  plugins: PluginListeners,
  message: PipelineMessage,
  end: MessageOutcome | null,
  pieces: readonly MessageChain[],
): void {
  if (end?.state === 'answered') plugins.sent(message, pieces.flat());
}

function silentEnd({ merged, trace }: PipelineRun, end: MessageOutcome): PipelineOutcome {
  return { type: 'ends', end, merged, record: trace.record };
}

function stopped(message: Message, step: 'bot' | 'pipeline', reason: Reason): PipelineOutcome {
  const trace = new PipelineTrace(message.attempts);
  trace.add(step, performance.now(), { outcome: 'stopped', reason });
  return { type: 'ends', end: { state: 'stopped', reason }, merged: [], record: trace.record };
}

function asFailure(message: Message, error: unknown, logger: Logger): ParleyError {
  // A failure of the store is not one of the message: the dispatcher releases the message.
  if (findStorageError(error) !== null) throw error;
  if (error instanceof ParleyError && error.cause === undefined) {
    logger.warn({ message: message.uuid, reason: error.reason }, error.message);
    return error;
  }
  logger.error({ message: message.uuid, error }, 'a message could not be answered');
  return error instanceof ParleyError ? error : new ParleyError('internal', 'An unexpected fault', { cause: error });
}

function failureNotice(config: PipelineConfig, failure: ParleyError): string {
  const { 'exception-handling': handling, 'failure-hint': hint } = config.answers;
  if (handling === 'hide') return '';
  return handling === 'show-error' ? failure.message : hint;
}
