import { setTimeout as wait } from 'node:timers/promises';
import {
  type MessageChain,
  type MessageElement,
  ParleyError,
  type PipelineMessage,
  type PluginAnswer,
  type PluginEvents,
  type PluginStop,
  type Stage,
  textOfChain,
} from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';
import type { SendHolds } from '../bots/send-holds.ts';
import { withFirstModel, withOnlyModel } from '../pipelines/named-models.ts';
import type { AnswerDelivery } from './answer-delivery.ts';
import type { AnswerRun } from './answer-run.ts';
import { AnswerStream, outgoingOf } from './answer-stream.ts';
import type { CitationLinks } from './citation-links.ts';
import type { CommandRun } from './command-run.ts';
import type { ConversationMemory } from './conversation-memory.ts';
import type { DeliveryLedger } from './delivery-ledger.ts';
import { targetOf } from './delivery-target.ts';
import { type ClaimedMessage, claimOf } from './message.ts';
import type { MessageHistory } from './message-history.ts';
import type { Passed } from './message-plugins.ts';
import type { NameLookup } from './name-lookup.ts';
import { type PipelineOutcome, type PipelineRun, partialRemains } from './pipeline-run.ts';
import { answerFilters, checkMessage, finishedAnswer, type NamedFilter, shownPart } from './pipeline-stages.ts';
import type { StepOutcome } from './pipeline-trace.ts';
import type { ReplyContexts } from './reply-contexts.ts';
import type { ReplyDelivery } from './reply-delivery.ts';
import { contextOfStage, parsedCommand, type StageContextParts } from './stage-context.ts';
import { streamCapabilityOf } from './stream-capability.ts';
import type { WebhookOutcome } from './webhook-outcomes.ts';

export interface PipelineParts extends StageContextParts {
  stages: Registry<Stage>;
  answers: AnswerRun;
  commands: CommandRun;
  history: Pick<MessageHistory, 'context'>;
  memory: Pick<ConversationMemory, 'ended' | 'forget'>;
  names: Pick<NameLookup, 'complete'>;
  citationLinks: Pick<CitationLinks, 'link'>;
  deliveries: Pick<DeliveryLedger, 'beginAnswer'>;
  delivery: Pick<AnswerDelivery, 'progress'>;
  holds: Pick<SendHolds, 'of' | 'report'>;
  replyContexts: Pick<ReplyContexts, 'send'>;
  replies: Pick<ReplyDelivery, 'finish'>;
  /** False while another process may be using the database: no send may start. */
  maySend: () => boolean;
}

/** @returns the run for the next step, or how the message leaves the pipeline */
export type PipelineStep = (run: PipelineRun, parts: PipelineParts) => Promise<PipelineRun | PipelineOutcome>;

/** How many tools that were not offered the trace names. */
const maximumNamed = 50;

/** Webhooks may say that a message is not answered here, or not respond yet. */
export const askWebhooks: PipelineStep = async (run, { webhooks }) => {
  const { question, trace } = run;
  const { webhook_wait_until: until } = question;
  if (until === null) return run;
  const said = await trace.step('webhooks', () => webhooks.outcomeOf(question), webhookStep);
  if (said.outcome === 'passed') return run;
  if (said.outcome === 'awaited') {
    return { type: 'waits', for: 'webhooks', wait: { until, reason: 'awaiting_webhook' } };
  }
  const end = { state: 'stopped', reason: 'skipped_by_webhook' } as const;
  return { type: 'ends', end, merged: [], record: trace.record };
};

/** Fetches the content of the message that the platform holds. */
export const fetchMedia: PipelineStep = async (run, { mediaFetch, memory }) => {
  return withQuestion(run, await mediaFetch.complete(run.question, run.bot, run.context.signal), memory);
};

/** Looks up names that the message lacks. */
export const nameSender: PipelineStep = async (run, { names, memory }) => {
  return withQuestion(run, await names.complete(run.question, run.bot, run.context.signal), memory);
};

/** Reads the context that a caller brought with the message. */
export const readContext: PipelineStep = async (run, { history }) => {
  const context = run.question.facts.has_context ? await history.context(run.question.uuid) : null;
  if (context === null) return run;
  const arrived = { ...run.arrived, context };
  return { ...run, arrived, message: arrived };
};

/** Stages say what they will do to the answer. */
export const prepareFilters: PipelineStep = async (run, { stages }) => {
  const filters = await answerFilters(stages.list(), run.arrived, contextOfStage(run.context, run.config));
  if (filters.some((filter) => filter.hidesReasoning)) run.writer.hideThoughts();
  return { ...run, filters };
};

/** Plugins change, stop or answer a message before the stages. */
export const passListeners: PipelineStep = async (run, _parts) => {
  if (!run.plugins.has('received')) return run;
  const { message_chain } = run.arrived;
  const { event, end } = await run.plugins.pass('received', { message_chain }, run.arrived, run.context.signal);
  if (end !== null) return endedByPlugin(run, end);
  if (event.message_chain === message_chain) return run;
  const arrived = { ...run.arrived, message_chain: event.message_chain };
  return { ...run, arrived, message: arrived };
};

/** Stages stop a message, have it wait, merge others into it, or change it. */
export const applyStages: PipelineStep = async (run, { stages }) => {
  const checked = await checkMessage(stages.list(), run.arrived, contextOfStage(run.context, run.config), run.trace);
  if (checked.outcome === 'wait') {
    const { until, reason } = checked;
    return { type: 'waits', for: 'stage', wait: { until, reason } };
  }
  const { merged } = checked;
  if (checked.outcome === 'pass') return { ...run, merged, message: checked.message };
  const { notice = '', reason } = checked;
  run.writer.addNotice(notice);
  return { ...run, merged, end: { state: 'stopped', reason } };
};

/** A chat command is answered without the runner. */
export const runCommand: PipelineStep = async (run, { commands }) => {
  const { question, message, config, trace } = run;
  const parsed = parsedCommand(message, run.bot, run.context.botAccountId, commands);
  if (parsed === null) return run;
  let command = parsed;
  if (run.plugins.has('command')) {
    const { name, parameters } = parsed;
    const { event, end } = await run.plugins.pass('command', { name, parameters }, message, run.context.signal);
    if (end?.action === 'answer') run.writer.replace(end.message_chain);
    if (end !== null) {
      const reason = end.action === 'answer' ? ('command' as const) : ('stopped_by_plugin' as const);
      return { ...run, end: { state: 'stopped', reason } };
    }
    command = { ...parsed, ...event };
  }
  const { text, reason } = await trace.step(
    'command',
    () => commands.run(command, message, { config, question }),
    (said) => ({ outcome: 'stopped', reason: said.reason, details: { command: command.name } }),
  );
  run.writer.addNotice(text);
  return { ...run, end: { state: 'stopped', reason } };
};

/** Shows that the message will be answered. */
export const showTyping: PipelineStep = async (run, { holds, maySend }) => {
  const { question, bot, typing } = run;
  typing.begin(bot, targetOf(question), () => maySend() && holds.of(bot.uuid, question) === null);
  return run;
};

/** Prepares showing the answer while it is generated, unless a stage has to see all of it before. */
export const prepareStream: PipelineStep = async (run, parts) => {
  const { deliveries, delivery, holds, maySend, replies, replyContexts, logger } = parts;
  const { question, bot, earlier, filters, stopping } = run;
  if (filters.some((filter) => filter.needsWholeText) || run.plugins.has('answer')) return run;
  // What an earlier attempt showed cannot be changed, and this one will hardly write the same.
  const { mode } = streamCapabilityOf(bot.capabilities, question) ?? {};
  if (mode === 'append' && (earlier?.handle ?? null) !== null) return run;
  const stream = new AnswerStream(bot, {
    chat: question,
    begin: async () => {
      // What plugins replied stands before the answer.
      if ((await replies.finish(question, bot, stopping)) !== null) return null;
      const answer = await deliveries.beginAnswer(question, partialRemains(run));
      const part = { answer_uuid: answer.uuid, piece: 0, claim: claimOf(question) };
      const outgoing = outgoingOf(answer, { piece: 0, idempotency_token: answer.uuid }, question);
      const progress = delivery.progress(part, { handle: earlier?.handle ?? null }, false, stopping);
      const stream = replyContexts.send(bot, question, outgoing, async (complete) =>
        bot.adapter.stream?.(complete, progress),
      );
      return (await stream) ?? null;
    },
    isHeld: () => !maySend() || holds.of(bot.uuid, question) !== null,
    failed: (failure) => holds.report(bot.uuid, question, failure),
    logger,
    delayMs: delayOf(filters),
  });
  return { ...run, stream };
};

/** The runner generates the answer. */
export const generateAnswer: PipelineStep = async (run, { answers, citationLinks }) => {
  const { question, trace, writer, filters, stream, context } = run;
  const tried = question.facts.trial?.model_uuid;
  const config =
    tried === undefined ? withFirstModel(run.config, question.model_uuid) : withOnlyModel(run.config, tried);
  const asked = await passQuestion(run, saysSomething(run.message) ? run.message : run.arrived);
  if ('action' in asked) return endedByPlugin(run, asked);
  const message = asked;
  let withheld: readonly string[] = [];
  const options = {
    claim: question.claim,
    signal: context.signal,
    platform: run.bot.platform.label.en_US,
    attach: (element: MessageElement) => writer.attach(element),
    withheld: (tools: readonly string[]) => {
      withheld = tools;
    },
    keepsRequests: keepsModelRequests(run),
    ...promptListeners(run, message),
    ...linkedCitations(run, citationLinks),
  };
  const write = async () => {
    for await (const delta of answers.write(message, config, options)) {
      if (!(writer.add(delta) && stream?.isDue)) continue;
      await stream.update(shownPart(filters, writer.partial));
      if (stream.isStarted) run.typing.end();
    }
    context.signal.throwIfAborted();
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
  return { ...run, end: { state: 'answered', reason: 'answered' } };
};

/** Plugins change the question, or answer it. */
async function passQuestion(
  { plugins, context }: PipelineRun,
  message: PipelineMessage,
): Promise<PipelineMessage | PluginAnswer | PluginStop> {
  if (!plugins.has('question')) return message;
  const { message_chain } = message;
  const { event, end } = await plugins.pass('question', { message_chain }, message, context.signal);
  return end ?? { ...message, message_chain: event.message_chain };
}

/** Plugins change the prompt and what belongs to it. */
function promptListeners({ plugins, context }: PipelineRun, message: PipelineMessage) {
  if (!plugins.has('prompt')) return {};
  return {
    prepare: async (given: PluginEvents['prompt']) => {
      const { event, end } = await plugins.pass('prompt', given, message, context.signal);
      // The runner has not begun.
      if (end !== null) throw new ParleyError('stopped_by_plugin', 'A plugin stopped the message');
      return event;
    },
  };
}

function endedByPlugin(run: PipelineRun, end: PluginAnswer | PluginStop): PipelineRun {
  if (end.action === 'stop') return { ...run, end: { state: 'stopped', reason: 'stopped_by_plugin' } };
  run.writer.replace(end.message_chain);
  return { ...run, end: { state: 'answered', reason: 'answered' } };
}

/**
 * Plugins change or stop the whole answer, before the stages.
 * @returns the run with how the message ends now
 */
export async function passAnswer(run: PipelineRun): Promise<PipelineRun> {
  const { plugins, writer, message, context } = run;
  if (run.end?.state !== 'answered' || writer.isEmpty || !plugins.has('answer')) return run;
  const message_chain = writer.complete;
  let passed: Passed<'answer'>;
  try {
    passed = await plugins.pass('answer', { message_chain }, message, context.signal);
  } catch (error) {
    run.stopping.throwIfAborted();
    if (!run.cancelled.aborted) throw error;
    // Nothing of it was shown.
    writer.replace([]);
    return { ...run, end: { state: 'stopped', reason: (run.cancelled.reason as ParleyError).reason } };
  }
  const { event, end } = passed;
  if (end !== null) {
    writer.replace([]);
    return { ...run, end: { state: 'stopped', reason: 'stopped_by_plugin' } };
  }
  if (event.message_chain !== message_chain) writer.replace(event.message_chain);
  return run;
}

/**
 * The parts of the answer after the stages, not before their delay.
 * @throws ParleyError when a stage fails; nothing of the answer may be sent then
 */
export async function finishParts(run: PipelineRun): Promise<MessageChain[]> {
  const { filters, writer, trace, stream, cancelled, stopping } = run;
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
  return pieces;
}

/** Requests of trials are always kept: they are what an author of a pipeline looks at. */
function keepsModelRequests({ question, config }: PipelineRun): boolean {
  return question.facts.trial !== undefined || config.answers['keep-model-requests'];
}

/** The web chat shows passages itself. */
function linkedCitations({ question, config, bot }: PipelineRun, links: PipelineParts['citationLinks']) {
  const { 'citation-links': isOn, 'citation-link-days': days } = config.answers;
  if (!isOn || bot.platform.sockets === true) return {};
  return { citationLink: (number: number) => links.link({ message_uuid: question.uuid, number }, days) };
}

/** The run with what was added to its message after it had been stored. */
function withQuestion(run: PipelineRun, question: ClaimedMessage, memory: PipelineParts['memory']): PipelineRun {
  if (question === run.question) return run;
  // The memory would have the message as it was claimed.
  if (question.message_chain !== run.question.message_chain) memory.forget(question.conversation_uuid);
  const { message_chain, sender_name, facts } = question;
  const arrived = { ...run.arrived, message_chain, sender_name, facts };
  return { ...run, question, arrived, message: arrived };
}

/** A message with only the bot's name is meant for the bot. */
function saysSomething({ message_chain }: PipelineMessage): boolean {
  return textOfChain(message_chain).trim() !== '';
}

function delayOf(filters: readonly NamedFilter[]): number {
  return Math.max(0, ...filters.map((filter) => filter.delayMs ?? 0));
}

function webhookStep(said: WebhookOutcome): StepOutcome {
  switch (said.outcome) {
    case 'passed':
      return { outcome: 'passed', details: { told: said.told, answered: said.answered } };
    case 'skipped':
      return { outcome: 'stopped', reason: 'skipped_by_webhook', details: { webhook: said.webhook } };
    case 'awaited':
      return { outcome: 'waited', reason: 'awaiting_webhook', details: { told: said.told } };
  }
}
