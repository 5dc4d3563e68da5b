import { type CallFailure, type CitationReport, problemError, type Reason, reasons } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import { passageKey } from './knowledge-record.ts';
import type {
  DeliveryView,
  MessageReader,
  MessageStory,
  MessageView,
  RecordedModelCall,
  RecordedRetrieval,
  RecordedToolCall,
} from './message-reader.ts';
import type { PipelineVersionUsed, TraceStep } from './message-trace.ts';

/** A retrieval, with the number that each passage has in the answer, null for none. */
export type ExplainedRetrieval = Omit<RecordedRetrieval, 'passages'> & {
  passages: (RecordedRetrieval['passages'][number] & { cited_as: number | null })[];
};

/** A model call, with what is known of its failure. */
export type ExplainedModelCall = RecordedModelCall & { failure: CallFailure | null };

/** Why a message was not answered, or why its answer may not have arrived. */
export interface ExplainedFailure extends CallFailure {
  reason: Reason;
  /** In English; of the platform for a delivery. Null if it was not recorded. */
  error: string | null;
}

/** The outcome of a message and its reason, as far as known. */
export interface MessageExplanation {
  message: MessageView;
  /** One to three sentences. */
  summary: string;
  /** State of an inbound message; of an outbound one `writing`, or how its delivery goes. */
  outcome: string;
  reason: Reason | 'answered' | null;
  /** What is known of the failure of the message, or of its delivery. Null if neither failed. */
  failure: ExplainedFailure | null;
  /** Null when it does not wait. */
  waiting: {
    /** Earliest start, ISO 8601 UTC; null for as soon as its turn comes. */
    until: string | null;
    reason: Reason | null;
  } | null;
  /** Number of attempts to answer it. */
  attempts: number;
  /** From when it was stored until its end, or until now. */
  total_milliseconds: number;
  /** The version of its pipeline; null if that is not known. */
  pipeline: PipelineVersionUsed | null;
  /** In order; empty while it is in progress, and for messages of versions that stored none. */
  steps: TraceStep[];
  model_calls: ExplainedModelCall[];
  tool_calls: RecordedToolCall[];
  /** The retrievals, in order. */
  retrievals: ExplainedRetrieval[];
  /** The citations of the answer, and how many were removed. Null if nothing could be cited. */
  citations: { cited: CitationReport['citations']; dropped: number } | null;
  /** Of an inbound message, those of its answer. */
  deliveries: Omit<DeliveryView, 'message_chain'>[];
  /** Messages that were answered together with it. */
  merged: string[];
  merged_into: string | null;
}

/** Explains the outcome of any message. */
export class MessageExplainer {
  readonly #reader: MessageReader;
  readonly #bots: Pick<BotRuntime, 'status' | 'absence'>;

  constructor(reader: MessageReader, bots: Pick<BotRuntime, 'status' | 'absence'>) {
    this.#reader = reader;
    this.#bots = bots;
  }

  /** @throws ParleyError `not_found` */
  async explain(uuid: string): Promise<MessageExplanation> {
    const story = await this.#reader.story(uuid);
    if (story === null) throw problemError('message_not_found');
    const { state, bot_uuid } = story.message;
    const isHeld = state === 'received' && this.#bots.status(bot_uuid).state !== 'running';
    return explanation(story, isHeld ? await this.#bots.absence(bot_uuid) : null, present());
  }
}

/**
 * @param absence why the bot cannot answer now; null when it can
 * @param now milliseconds since 1970
 */
export function explanation(story: MessageStory, absence: Reason | null, now: number): MessageExplanation {
  const { message, answer, reply_to, trace, model_calls, tool_calls, retrievals, citations, merged } = story;
  const deliveries = message.direction === 'inbound' ? (answer?.deliveries ?? []) : story.deliveries;
  const waiting = waitOf(story, absence);
  return {
    message,
    summary: message.direction === 'inbound' ? inboundSummary(story, waiting) : outboundSummary(story),
    outcome: message.direction === 'inbound' ? message.state : (message.delivery_state ?? message.state),
    reason: message.direction === 'inbound' ? message.reason : (message.failure ?? faultOf(deliveries)),
    failure: failureOf(story, deliveries),
    waiting,
    attempts: (reply_to ?? message).attempts,
    // Steps and calls are those of the question, so the time of an answer is counted from there as well.
    total_milliseconds: Math.max(0, endOf(message, deliveries, now) - Date.parse((reply_to ?? message).created_at)),
    pipeline: trace?.pipeline ?? null,
    steps: trace?.gates ?? [],
    model_calls: model_calls.map((call) => ({ ...call, failure: trace?.failures?.[call.uuid] ?? null })),
    tool_calls,
    retrievals: explained(retrievals, citations),
    citations: citations === null ? null : { cited: citations.citations, dropped: citations.dropped },
    deliveries: deliveries.map(({ message_chain: _, ...delivery }) => delivery),
    merged,
    merged_into: message.merged_into,
  };
}

function explained(retrievals: readonly RecordedRetrieval[], citations: CitationReport | null): ExplainedRetrieval[] {
  const numbers = new Map(
    citations?.citations.map(({ number, knowledge_base_uuid, chunk_id }) => [
      passageKey(knowledge_base_uuid, chunk_id),
      number,
    ]),
  );
  return retrievals.map((retrieval) => ({
    ...retrieval,
    passages: retrieval.passages.map((passage) => ({
      ...passage,
      cited_as: numbers.get(passageKey(passage.knowledge_base_uuid, passage.id)) ?? null,
    })),
  }));
}

function waitOf({ message, queue }: MessageStory, absence: Reason | null): MessageExplanation['waiting'] {
  if (message.state !== 'received') return null;
  const until = queue?.until ?? null;
  // Only messages with an attempt have a stored reason, or those that wait for webhooks without another hold.
  const isPast = message.reason === 'awaiting_webhook' && (until === null || queue?.isBehind === true);
  return { until, reason: absence ?? (isPast ? null : (message.reason as Reason | null)) };
}

function endOf(message: MessageView, deliveries: readonly DeliveryView[], now: number): number {
  if (message.direction === 'inbound') return message.finished_at === null ? now : Date.parse(message.finished_at);
  const isInProgress = deliveries.some(({ state }) => state === 'pending' || state === 'sending');
  if (message.state === 'writing' || isInProgress) return now;
  const timestamps = deliveries.map(({ updated_at }) => Date.parse(updated_at));
  return Math.max(Date.parse(message.finished_at ?? message.created_at), ...timestamps);
}

function failureOf(story: MessageStory, deliveries: readonly DeliveryView[]): ExplainedFailure | null {
  const { message, reply_to, trace } = story;
  const question = message.direction === 'inbound' ? message : reply_to;
  if (question?.state === 'failed' && question.reason !== null && trace?.failure !== undefined) {
    return { reason: question.reason as Reason, ...trace.failure };
  }
  const failed = deliveries.find(({ state }) => state === 'failed' || state === 'uncertain');
  if (failed === undefined) {
    // Of earlier versions.
    if (question?.state !== 'failed' || question.reason === null) return null;
    return { reason: question.reason as Reason, error: null, response: null, hint: null };
  }
  return { reason: failed.reason ?? 'platform_failed', error: failed.error, response: null, hint: null };
}

function faultOf(deliveries: readonly DeliveryView[]): Reason | null {
  return deliveries.find(({ reason }) => reason !== null)?.reason ?? null;
}

function inboundSummary(story: MessageStory, waiting: MessageExplanation['waiting']): string {
  const { message, answer } = story;
  const reason = message.reason === 'answered' ? null : message.reason;
  switch (message.state) {
    case 'received':
      return waitingSummary(story, waiting);
    case 'answered':
      // Earlier versions ended messages so whose answer may not have arrived.
      return answer?.message.delivery_state === 'uncertain' ? uncertainSummary : 'The message was answered.';
    case 'uncertain':
      return uncertainSummary;
    case 'stopped':
      return `${stopped(reason)}${notice(story)}`;
    case 'failed':
      return `Processing failed. ${textOf(reason)}${notice(story)}`;
    default:
      if (answer === null) return 'The message is being processed.';
      return answer.message.state === 'writing'
        ? 'The message is being processed, and the answer is streaming.'
        : 'The message was answered, and the answer is being sent.';
  }
}

const uncertainSummary = 'The message was answered, but the platform did not confirm that all of the answer arrived.';

/** Outcomes that need no further text. */
const complete: readonly (Reason | null)[] = ['merged', 'command', 'command_denied', 'answer_stopped'];

function stopped(reason: Reason | null): string {
  return complete.includes(reason) ? textOf(reason) : `The message was not answered. ${textOf(reason)}`;
}

/** Whether a notice was sent instead of an answer. */
function notice({ message, answer }: MessageStory): string {
  if (message.reason === 'command' || message.reason === 'answer_stopped' || answer?.message.delivery_state !== 'sent')
    return '';
  return ' A notice was sent.';
}

function waitingSummary({ message, queue }: MessageStory, waiting: MessageExplanation['waiting']): string {
  const until = waiting?.until ? ` until ${waiting.until}` : '';
  if (waiting?.reason) return `The message is queued${until}. ${textOf(waiting.reason)}`;
  if (queue?.isBehind) return `The message is queued${until} behind an earlier message of its conversation.`;
  if (until === '' && message.attempts > 0) return 'The message is queued for another attempt.';
  return `The message is queued${until}.`;
}

function outboundSummary(story: MessageStory): string {
  const { message, deliveries } = story;
  if (message.failure !== null && message.delivery_state === 'sent') {
    return `Processing failed. ${textOf(message.failure)} A notice was sent instead of an answer.`;
  }
  const subject = message.reply_to === null ? 'The message' : 'The answer';
  if (message.state === 'writing') return 'The answer is streaming.';
  const cause = faultOf(deliveries);
  switch (message.delivery_state) {
    case 'sent':
      return `${subject} was sent.`;
    case 'failed':
      return deliveries.some(({ state }) => state === 'sent')
        ? `A part of ${subject.toLowerCase()} was not sent. ${textOf(cause)}`
        : `${subject} was not sent. ${textOf(cause)}`;
    case 'uncertain':
      return `It is not known whether ${subject.toLowerCase()} arrived. ${textOf(cause ?? 'interrupted')}`;
    default:
      return `${subject} is being sent.`;
  }
}

function textOf(reason: Reason | null): string {
  if (reason === null) return 'The reason was not recorded.';
  // A later version may have stored a reason that this one does not know.
  return (reasons as Record<string, string | undefined>)[reason] ?? `Reason: ${reason}.`;
}
