import type { PipelineMessage, Reason } from '@parley/sdk';
import type { RunningBot } from '../bots/running-bot.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import type { AnswerStream } from './answer-stream.ts';
import type { AnswerWriter } from './answer-writer.ts';
import type { Answer, StoredAnswer } from './delivery-ledger.ts';
import type { ClaimedMessage } from './message.ts';
import type { MessageOutcome } from './message-ledger.ts';
import type { PluginListeners } from './message-plugins.ts';
import type { MessageRecord } from './message-trace.ts';
import type { NamedFilter } from './pipeline-stages.ts';
import type { PipelineTrace } from './pipeline-trace.ts';
import type { CommonStageContext } from './stage-context.ts';
import type { Typing } from './typing.ts';

/**
 * One message on its way through its pipeline. Steps return changed copies; only the trace and the writer collect what
 * was done and said, also by a step that fails.
 */
export interface PipelineRun {
  readonly question: ClaimedMessage;
  readonly bot: RunningBot;
  readonly config: PipelineConfig;
  readonly trace: PipelineTrace;
  readonly writer: AnswerWriter;
  /** The incomplete answer of an earlier attempt; null when there is none. */
  readonly earlier: StoredAnswer | null;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Aborted when a user cancels the answer; the reason is a ParleyError. */
  readonly cancelled: AbortSignal;
  readonly context: CommonStageContext;
  /** The message as it arrived. */
  readonly arrived: PipelineMessage;
  /** The message as the stages changed it. */
  readonly message: PipelineMessage;
  readonly filters: readonly NamedFilter[];
  /** Shows the chat that the answer is being generated. */
  readonly typing: Typing;
  /** The plugins that its pipeline uses. */
  readonly plugins: PluginListeners;
  /** Messages that waited behind and are answered along. */
  readonly merged: readonly string[];
  /** Shows the answer while it is generated; null when nothing may be shown before it is complete. */
  readonly stream: AnswerStream | null;
  /** How the message ends once what the writer holds is sent; null while there are further steps. */
  readonly end: MessageOutcome | null;
}

/** How a message leaves the processor. */
export type PipelineOutcome =
  /** It is returned to the queue. `until` is ISO 8601 UTC; `wait` is null when its bot has to connect first. */
  | { type: 'waits'; for: 'bot' | 'chat' | 'webhooks' | 'stage'; wait: { until: string; reason: Reason } | null }
  /** It ends, and nothing is sent. */
  | { type: 'ends'; end: MessageOutcome; merged: readonly string[]; record: MessageRecord }
  /** It ends when the answer is sent. */
  | { type: 'answers'; bot: RunningBot; answer: Answer; record: MessageRecord; stream: AnswerStream | null }
  /** It ends when the rest of an answer is sent that an earlier attempt completed. */
  | { type: 'resumes'; bot: RunningBot; stored: StoredAnswer };

export function isOutcome<Other extends object>(result: Other | PipelineOutcome): result is PipelineOutcome {
  return 'type' in result;
}

/** Whether an earlier attempt may have left a message with the start of the answer that cannot be identified. */
export function partialRemains({ bot, earlier }: Pick<PipelineRun, 'bot' | 'earlier'>): boolean {
  if (earlier === null || bot.capabilities.idempotent_sends) return false;
  return earlier.handle === null || earlier.message.reason === 'partial_remains';
}

/** Whether the start of the answer is in the chat, so that it cannot end silently. */
export function isShown({ earlier, stream }: Pick<PipelineRun, 'earlier' | 'stream'>): boolean {
  return stream?.isStarted === true || (earlier?.handle ?? null) !== null;
}
