import {
  maximumChainElements,
  type PipelineMessage,
  type Stage,
  type StageContext,
  type StageOutcome,
} from '@parley/sdk';
import { aggregationConfig } from './config.ts';
import { joinChains, sizeOfChain } from './join-chains.ts';

/** Messages that are answered together at most. */
const mostTogether = 10;
/** Bounds of the setting, seconds. */
const leastDelay = 1;
const mostDelay = 10;
/** How far clocks may be apart, milliseconds. A message from further ahead is not waited for. */
const clockTolerance = 10_000;

/**
 * Merges messages that a user sends in quick succession. Nothing is held in memory while more may come: the ledger
 * stores them, so a restart loses nothing, and the result does not depend on the load of the server.
 */
export const aggregation: Stage<typeof aggregationConfig> = {
  name: 'aggregation',
  label: { en_US: 'Message grouping', zh_Hans: '消息合并', ja_JP: 'メッセージの結合' },
  config: aggregationConfig,
  async check(message, context): Promise<StageOutcome> {
    const { enabled, delay } = context.config.trigger['message-aggregation'];
    if (!enabled || context.isCommand(message)) return { outcome: 'pass' };
    const silence = Math.min(Math.max(delay, leastDelay), mostDelay) * 1000;
    const { together, mayGrow } = runOf(message, await context.waitingMessages(), silence, context);
    if (mayGrow) {
      const until = Date.parse((together.at(-1) ?? message).created_at) + silence;
      const left = until - context.now();
      if (left > 0 && left <= silence + clockTolerance) {
        const details = { messages: together.length };
        return { outcome: 'wait', until: new Date(until).toISOString(), reason: 'aggregating', details };
      }
    }
    const [, ...merged] = together;
    if (merged.length === 0) return { outcome: 'pass' };
    return {
      outcome: 'merge',
      message_chain: joinChains(together.map(({ message_chain }) => message_chain)),
      merged: merged.map(({ uuid }) => uuid),
    };
  },
};

interface Run {
  together: PipelineMessage[];
  /** Whether a message that is still to come would belong to it. */
  mayGrow: boolean;
}

function runOf(
  first: PipelineMessage,
  waiting: readonly PipelineMessage[],
  silence: number,
  { isCommand }: Pick<StageContext, 'isCommand'>,
): Run {
  const together = [first];
  let last = first;
  let size = sizeOfChain(first.message_chain);
  for (const next of waiting) {
    if (together.length === mostTogether) break;
    size += 1 + sizeOfChain(next.message_chain);
    const isOwn = isCommand(next) || !follows(last, next, silence);
    if (isOwn || size > maximumChainElements) return { together, mayGrow: false };
    together.push(next);
    last = next;
  }
  return { together, mayGrow: together.length < mostTogether };
}

/** Messages that came while others were answered lie there together, but were not written together. */
function follows(last: PipelineMessage, next: PipelineMessage, silence: number): boolean {
  const isSame = next.sender_id === last.sender_id && next.pipeline_uuid === last.pipeline_uuid;
  return isSame && Date.parse(next.created_at) - Date.parse(last.created_at) <= silence;
}
