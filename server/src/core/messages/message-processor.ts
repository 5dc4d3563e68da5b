import { setTimeout as wait } from 'node:timers/promises';
import {
  type CitationReport,
  type Logger,
  type MessageChain,
  type MessageElement,
  type ModelCall,
  ParleyError,
  type PipelineMessage,
  type Reason,
  type Retrieval,
  type Stage,
  type StageContext,
  textOfChain,
} from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import type { UncertainSends } from '../bots/bot.ts';
import type { BotRuntime, RunningBot } from '../bots/bot-runtime.ts';
import type { SendHolds } from '../bots/send-holds.ts';
import type { ParsedCommand } from '../commands/parse-command.ts';
import type { EventCounter } from '../limits/event-counter.ts';
import { withFirstModel } from '../pipelines/named-models.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';
import { AnswerDelivery } from './answer-delivery.ts';
import type { AnswerRun } from './answer-run.ts';
import { AnswerStream, outgoingOf } from './answer-stream.ts';
import { AnswerWriter } from './answer-writer.ts';
import type { CommandRun } from './command-run.ts';
import type { DeliveryLedger, StoredAnswer } from './delivery-ledger.ts';
import type { Message } from './message.ts';
import type { MessageEvents } from './message-events.ts';
import type { MessageHistory } from './message-history.ts';
import type { MessageLedger, MessageOutcome } from './message-ledger.ts';
import { answerFilters, checkMessage, finishedAnswer, type NamedFilter, shownPart } from './pipeline-gates.ts';
import { type Finding, PipelineTrace } from './pipeline-trace.ts';
import type { RunningAnswers } from './running-answers.ts';
import type { WebhookVerdict, WebhookVerdicts } from './webhook-verdicts.ts';

export interface MessageProcessorOptions {
  messages: Pick<MessageLedger, 'hurry' | 'release' | 'settle' | 'waitingBehind'>;
  deliveries: DeliveryLedger;
  history: Pick<MessageHistory, 'context'>;
  events: MessageEvents;
  stages: Registry<Stage>;
  /** Who writes the answer. */
  answers: AnswerRun;
  commands: CommandRun;
  running: RunningAnswers;
  counter: EventCounter;
  storeMedia: StageContext['storeMedia'];
  webhooks: WebhookVerdicts;
  /** Holds on sending. */
  holds: SendHolds;
  /** False while another process may be using the database: no send may start. */
  maySend: () => boolean;
  uncertainSends: (botUuid: string) => Promise<UncertainSends>;
  /** How long the delivery of a complete answer is retried, milliseconds. */
  deliveryExpiryMs: number;
  logger: Logger;
}

/** One message on its way: what every step needs. */
interface Passage {
  question: Message;
  bot: RunningBot;
  config: PipelineConfig;
  trace: PipelineTrace;
  /** The incomplete answer of an earlier attempt; null when there is none. */
  earlier: StoredAnswer | null;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Aborted when a user cancels the answer; the reason is a ParleyError. */
  cancelled: AbortSignal;
}

/** The reply to a message, and how the message ends. */
interface Reply {
  writer: AnswerWriter;
  filters: NamedFilter[];
  stream: AnswerStream | null;
  outcome: MessageOutcome;
  merged: readonly string[];
}

/** How many of those that wait behind a message a stage is shown. */
const maximumWaiting = 50;
/** How many tools that were not offered the trace names. */
const maximumNamed = 50;
/** Replaces a partly shown answer that must not be sent. */
const nothing: MessageChain = [{ type: 'Plain', text: '…' }];

/** Runs one message through its pipeline and delivers the answer. */
export class MessageProcessor {
  readonly #bots: BotRuntime;
  readonly #pipelines: PipelineService;
  readonly #options: MessageProcessorOptions;
  readonly #delivery: AnswerDelivery;

  constructor(bots: BotRuntime, pipelines: PipelineService, options: MessageProcessorOptions) {
    this.#bots = bots;
    this.#pipelines = pipelines;
    this.#options = options;
    this.#delivery = new AnswerDelivery({ ...options, bots, expiryMs: options.deliveryExpiryMs });
  }

  /**
   * Every way out leaves a reason on the message, or the message in the queue while its bot is not connected.
   * @throws the signal's reason when it was aborted; the message then still waits for its answer
   */
  async process(message: Message, stopping: AbortSignal): Promise<void> {
    if (!this.#bots.isRunning(message.bot_uuid)) return this.#withoutBot(message);
    const bot = this.#bots.running(message.bot_uuid);
    const earlier = message.attempts > 1 ? await this.#options.deliveries.answerTo(message.uuid) : null;
    // A complete answer is not generated again; the rest of it is sent.
    if (earlier !== null && earlier.message.state !== 'writing') {
      return this.#delivery.deliver(bot, message, earlier, { stream: null, isResumed: true }, stopping);
    }
    // No model is called for an answer that cannot be sent.
    if (await this.#isHeld(message)) return;
    const config = message.pipeline_uuid === '' ? null : await this.#pipelines.configForRun(message.pipeline_uuid);
    if (config === null) return this.#stop(message, 'no_pipeline');
    const attention = attentionTo(message, bot);
    // No work for an absent caller: it disconnected while the message waited, or the process ended.
    if (attention?.aborted) return this.#stop(message, (attention.reason as ParleyError).reason);
    const trace = new PipelineTrace(message.attempts);
    await this.#options.running.run(message, (cancelled) =>
      this.#pass({
        question: message,
        bot,
        config,
        trace,
        earlier,
        stopping,
        cancelled: attention === null ? cancelled : AbortSignal.any([cancelled, attention]),
      }),
    );
  }

  /** @returns whether a message has to wait until its chat can be written to; it is released then */
  async #isHeld(message: Message): Promise<boolean> {
    const { holds } = this.#options;
    const hold = holds.of(message.bot_uuid, message);
    if (hold === null) return false;
    const until = new Date(Date.now() + hold.milliseconds).toISOString();
    await this.#delivery.release(message, { until, reason: hold.reason });
    holds.defer(message.bot_uuid, message, message.conversation_uuid);
    return true;
  }

  async #pass(passage: Passage): Promise<void> {
    const { question, config, trace, stopping, cancelled } = passage;
    if (await this.#endedByWebhooks(passage)) return;
    const arrived = await this.#arrived(question);
    const context = this.#context(passage);
    const contextOf = ({ name }: Stage): StageContext => ({ ...context, config: config.stages.get(name) ?? {} });
    const reply: Reply = {
      writer: this.#writer(passage),
      filters: [],
      stream: null,
      outcome: { state: 'answered', reason: 'answered' },
      merged: [],
    };
    try {
      const stages = this.#options.stages.list();
      reply.filters = await answerFilters(stages, arrived, contextOf);
      if (reply.filters.some((filter) => filter.hidesReasoning)) reply.writer.hideThoughts();
      const checked = await checkMessage(stages, arrived, contextOf, trace);
      if (checked.outcome === 'wait') {
        const { until, reason } = checked.verdict;
        return await this.#delivery.release(question, { until, reason });
      }
      reply.merged = checked.merged;
      if (checked.outcome === 'stop') {
        reply.writer.addNotice(checked.verdict.notice ?? '');
        reply.outcome = { state: 'stopped', reason: checked.verdict.reason };
      } else if (!(await this.#command(passage, checked.message, context, reply))) {
        await this.#write(passage, somethingSaid(checked.message, arrived), context, reply);
      }
    } catch (error) {
      stopping.throwIfAborted();
      if (cancelled.aborted) {
        const { reason } = cancelled.reason as ParleyError;
        reply.outcome = { state: 'stopped', reason };
        // The start of a cancelled answer is only sent if it is already shown.
        if (!isShown(passage, reply)) return this.#settle(passage, reply);
      } else {
        const failure = this.#asFailure(question, error);
        reply.writer.addNotice(failureNotice(config, failure));
        reply.outcome = { state: 'failed', reason: failure.reason };
      }
    }
    await this.#reply(passage, reply);
  }

  /** @returns whether webhooks prevent an answer, for now or permanently */
  async #endedByWebhooks(passage: Passage): Promise<boolean> {
    const { question, trace } = passage;
    const { webhook_wait_until: until } = question;
    if (until === null) return false;
    const { webhooks } = this.#options;
    const verdict = await trace.step('webhooks', () => webhooks.verdict(question), findingOf);
    if (verdict.outcome === 'passed') return false;
    if (verdict.outcome === 'skipped') {
      const outcome = { state: 'stopped', reason: 'skipped_by_webhook' } as const;
      await this.#settle(passage, { outcome, merged: [] });
      return true;
    }
    await this.#delivery.release(question, { until, reason: 'awaiting_webhook' });
    // They may have responded just before the message was released.
    const { outcome } = await webhooks.verdict(question);
    if (outcome !== 'awaited') await this.#options.messages.hurry(question.conversation_uuid);
    return true;
  }

  /** Waiting messages that may be merged into one, as far as webhooks permit. */
  async #waitingBehind(question: Message): Promise<PipelineMessage[]> {
    const ours: PipelineMessage[] = [];
    for (const message of await this.#options.messages.waitingBehind(question, maximumWaiting)) {
      const verdict = message.webhook_wait_until === null ? null : await this.#options.webhooks.verdict(message);
      if (verdict?.outcome === 'awaited') break;
      if (verdict?.outcome !== 'skipped') ours.push(pipelineMessage(message));
    }
    return ours;
  }

  async #arrived(question: Message): Promise<PipelineMessage> {
    const message = pipelineMessage(question);
    const context = question.facts.has_context ? await this.#options.history.context(question.uuid) : null;
    return context === null ? message : { ...message, context };
  }

  /** @returns false when the message is no command */
  async #command(
    { question, config, trace, bot }: Passage,
    message: PipelineMessage,
    context: Pick<StageContext, 'botAccountId'>,
    reply: Reply,
  ) {
    const command = this.#parsed(message, bot, context.botAccountId);
    if (command === null) return false;
    const said = await trace.step(
      'command',
      () => this.#options.commands.run(command, message, { config, question }),
      ({ reason }) => ({ outcome: 'stopped', reason, details: { command: command.name } }),
    );
    reply.writer.addNotice(said.text);
    reply.outcome = { state: 'stopped', reason: said.reason };
    return true;
  }

  /** Lets the runner write, and shows the answer while it grows. */
  async #write(
    passage: Passage,
    message: PipelineMessage,
    { signal }: Pick<StageContext, 'signal'>,
    reply: Reply,
  ): Promise<void> {
    const { question, trace } = passage;
    const config = withFirstModel(passage.config, question.model_uuid);
    const { writer, filters } = reply;
    const stream = this.#stream(passage, filters);
    reply.stream = stream;
    let withheld: readonly string[] = [];
    const write = async () => {
      const options = {
        signal,
        attach: (element: MessageElement) => writer.attach(element),
        withheld: (tools: readonly string[]) => {
          withheld = tools;
        },
      };
      for await (const delta of this.#options.answers.write(message, config, options)) {
        if (writer.add(delta) && stream?.isDue) await stream.update(shownPart(filters, writer.partial));
      }
      signal.throwIfAborted();
    };
    await trace.step('runner', write, () => ({
      outcome: 'passed',
      details: {
        runner: config.runner.name,
        question_characters: textOfChain(message.message_chain).length,
        answer_characters: writer.said.length,
        ...(trace.knowledge === null ? {} : { knowledge: trace.knowledge }),
        ...(withheld.length === 0 ? {} : { tools_not_for_user: withheld.slice(0, maximumNamed) }),
      },
    }));
  }

  /** Sends the reply, and ends the message. */
  async #reply(passage: Passage, reply: Reply): Promise<void> {
    const { question, bot, trace, stopping } = passage;
    const { writer, stream, merged } = reply;
    const { pieces, outcome } = await this.#finish(passage, reply);
    if (pieces.length === 0 && !isShown(passage, reply)) return this.#settle(passage, { outcome, merged });
    const isAnswer = outcome.state === 'answered';
    const answer = {
      // The shown part of an answer that must not be sent is withdrawn.
      pieces: pieces.length === 0 ? [nothing] : pieces,
      text: isAnswer ? writer.said : textOfChain(pieces.flat()),
      state: isAnswer ? ('finished' as const) : ('failed' as const),
      outcome,
      merged,
    };
    if (stream?.mayLeavePart || partialRemains(passage)) {
      trace.add('stream', performance.now(), { outcome: 'changed', reason: 'partial_remains' });
    }
    await this.#delivery.finish(bot, question, { answer, record: trace.record, stream }, stopping);
  }

  /** The answer after the stages. When one of them fails, nothing of the answer is sent. */
  async #finish(
    { question, config, trace, stopping, cancelled }: Passage,
    { writer, filters, stream, outcome }: Reply,
  ): Promise<{ pieces: MessageChain[]; outcome: MessageOutcome }> {
    if (writer.isEmpty) return { pieces: [], outcome };
    try {
      const pieces = await finishedAnswer(filters, writer.complete, trace);
      // A streamed answer has waited before it was shown.
      const delay = stream?.isStarted ? 0 : delayOf(filters);
      if (delay > 0 && !cancelled.aborted) {
        const changed = { outcome: 'changed', reason: 'delayed' } as const;
        await trace.step(
          'pause',
          () => wait(delay, undefined, { signal: stopping }),
          () => changed,
        );
      }
      return { pieces, outcome };
    } catch (error) {
      stopping.throwIfAborted();
      const failure = this.#asFailure(question, error);
      const notice = failureNotice(config, failure);
      const pieces: MessageChain[] = notice === '' ? [] : [[{ type: 'Plain', text: notice }]];
      return { pieces, outcome: { state: 'failed', reason: failure.reason } };
    }
  }

  #settle({ question, trace }: Passage, { outcome, merged }: Pick<Reply, 'outcome' | 'merged'>): Promise<void> {
    return this.#delivery.end(question, outcome, { answer: null, merged, record: trace.record });
  }

  #writer({ config, trace }: Passage): AnswerWriter {
    const showToolCalls = config.answers['track-function-calls'];
    const recorder = {
      addCall: (call: ModelCall) => trace.addCall(call, this.#options.answers.costOf(call)),
      addRetrieval: (retrieval: Retrieval) => trace.addRetrieval(retrieval),
      setCitations: (report: CitationReport) => trace.setCitations(report),
    };
    return new AnswerWriter({ showToolCalls }, recorder);
  }

  /** Null when nothing may be shown before the answer is complete. */
  #stream(passage: Passage, filters: readonly NamedFilter[]): AnswerStream | null {
    const { question, bot, earlier, stopping } = passage;
    if (filters.some((filter) => filter.needsWholeText)) return null;
    const { holds, maySend, logger } = this.#options;
    return new AnswerStream(bot, {
      begin: async () => {
        const answer = await this.#options.deliveries.beginAnswer(question, partialRemains(passage));
        const part = { piece: 0, handle: earlier?.handle ?? null };
        return {
          message: outgoingOf(answer, { piece: 0, idempotency_token: answer.uuid }, question),
          progress: this.#delivery.progress(answer.uuid, part, false, stopping),
        };
      },
      isHeld: () => !maySend() || holds.of(bot.uuid, question) !== null,
      failed: (failure) => holds.report(bot.uuid, question, failure),
      logger,
      delayMs: delayOf(filters),
    });
  }

  /** Without the settings, which each stage has of its own. */
  #context({ question, bot, stopping, cancelled }: Passage): Omit<StageContext, 'config'> {
    const { text_limit, elements, answers_quote = true } = bot.platform.capabilities;
    const botAccountId = bot.adapter.accountId?.() ?? null;
    return {
      botAccountId,
      platform: { text_limit, elements: answers_quote ? elements : elements.filter((type) => type !== 'Quote') },
      now: () => Date.now(),
      logger: this.#options.logger,
      signal: AbortSignal.any([stopping, cancelled]),
      isCommand: (message) => this.#parsed(message, bot, botAccountId) !== null,
      waitingMessages: () => this.#waitingBehind(question),
      countEvent: (key, windowStart, limit) => this.#options.counter.countEvent(key, windowStart, limit, question.uuid),
      storeMedia: this.#options.storeMedia,
    };
  }

  /** Null when it is no command, or the bot has none. */
  #parsed(message: PipelineMessage, { platform }: RunningBot, botAccountId: string | null): ParsedCommand | null {
    return platform.capabilities.commands === false ? null : this.#options.commands.parse(message, botAccountId);
  }

  #asFailure(message: Message, error: unknown): ParleyError {
    // A failure of the store is not one of the message: the dispatcher releases the message.
    if (findStorageError(error) !== null) throw error;
    if (error instanceof ParleyError && error.cause === undefined) {
      this.#options.logger.warn({ message: message.uuid, reason: error.reason }, error.message);
      return error;
    }
    this.#options.logger.error({ message: message.uuid, error }, 'a message could not be answered');
    return error instanceof ParleyError ? error : new ParleyError('internal', 'An unexpected fault', { cause: error });
  }

  /** An enabled bot will reconnect, and its messages wait for that. */
  async #withoutBot(message: Message): Promise<void> {
    const reason = await this.#bots.absence(message.bot_uuid);
    if (reason === 'bot_not_running') await this.#delivery.release(message, null);
    else await this.#stop(message, reason);
  }

  #stop(message: Message, reason: Reason): Promise<void> {
    const trace = new PipelineTrace(message.attempts);
    trace.add(reason === 'no_pipeline' ? 'pipeline' : 'bot', performance.now(), { outcome: 'stopped', reason });
    const outcome = { state: 'stopped', reason } as const;
    return this.#delivery.end(message, outcome, { answer: null, merged: [], record: trace.record });
  }
}

/** Whether an earlier attempt may have left a message with the start of the answer that cannot be identified. */
function partialRemains({ bot, earlier }: Passage): boolean {
  if (earlier === null || bot.platform.capabilities.idempotent_sends) return false;
  return earlier.handle === null || earlier.message.reason === 'partial_remains';
}

/** Whether the start of the answer is in the chat, so that it cannot end silently. */
function isShown({ earlier }: Passage, { stream }: Reply): boolean {
  return stream?.isStarted === true || (earlier?.handle ?? null) !== null;
}

/** Null if a platform does not know whether a caller waits for an answer. */
function attentionTo({ platform_message_id: id }: Message, { adapter }: RunningBot): AbortSignal | null {
  return id === null ? null : (adapter.attention?.(id) ?? null);
}

function findingOf(verdict: WebhookVerdict): Finding {
  switch (verdict.outcome) {
    case 'passed':
      return { outcome: 'passed', details: { told: verdict.told, answered: verdict.answered } };
    case 'skipped':
      return { outcome: 'stopped', reason: 'skipped_by_webhook', details: { webhook: verdict.webhook } };
    case 'awaited':
      return { outcome: 'waited', reason: 'awaiting_webhook', details: { told: verdict.told } };
  }
}

function pipelineMessage(message: Message): PipelineMessage {
  const { uuid, bot_uuid, pipeline_uuid, conversation_uuid, session_type, session_id, thread_id } = message;
  const { sequence, platform_message_id, sender_id, sender_name, facts, message_chain, created_at } = message;
  return {
    uuid,
    bot_uuid,
    pipeline_uuid,
    conversation_uuid,
    session_type,
    session_id,
    thread_id,
    sequence,
    platform_message_id,
    sender_id,
    sender_name,
    facts,
    message_chain,
    created_at,
  };
}

/** A message with only the bot's name is meant for the bot. */
function somethingSaid(message: PipelineMessage, arrived: PipelineMessage): PipelineMessage {
  return textOfChain(message.message_chain).trim() === '' ? arrived : message;
}

function failureNotice(config: PipelineConfig, failure: ParleyError): string {
  const { 'exception-handling': handling, 'failure-hint': hint } = config.answers;
  if (handling === 'hide') return '';
  return handling === 'show-error' ? failure.message : hint;
}

function delayOf(filters: readonly NamedFilter[]): number {
  return Math.max(0, ...filters.map((filter) => filter.delayMs ?? 0));
}
