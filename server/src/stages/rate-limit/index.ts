import type { PipelineMessage, Stage, StageOutcome } from '@parley/sdk';
import { rateLimitConfig } from './config.ts';

/**
 * Limits the messages of a conversation per fixed time window. It follows all stages that may end a message or let it
 * wait, so a message is counted when it is about to be answered.
 */
export const rateLimit: Stage<typeof rateLimitConfig> = {
  name: 'rate-limit',
  label: { en_US: 'Rate limit', zh_Hans: '频率限制', ja_JP: '頻度の制限' },
  config: rateLimitConfig,
  async check(message, context): Promise<StageOutcome> {
    context.signal.throwIfAborted();
    const { 'window-length': seconds, limitation, strategy } = context.config.safety['rate-limit'];
    const length = seconds * 1000;
    const now = context.now();
    const start = now - (now % length);
    const count = await context.countEvent(keyOf(message), start, limitation);
    if (count <= limitation) return { outcome: 'pass', details: { count, limitation } };
    const until = new Date(start + length).toISOString();
    if (strategy === 'wait') return { outcome: 'wait', until, reason: 'rate_limited', details: { limitation } };
    const stop = { outcome: 'stop', reason: 'rate_limited', details: { limitation, until } } as const;
    // A notice for each message would itself be a flood, which platforms answer with rate limits of their own.
    const isFirst = (await context.countEvent(noticeKeyOf(message), start, 1)) === 1;
    const secondsLeft = Math.ceil((start + length - now) / 1000);
    return isFirst ? { ...stop, notice: `Too many messages. Please wait ${secondsLeft} s.` } : stop;
  },
};

/** Senders are notified once per window, each for themselves, also within a group that is counted together. */
function noticeKeyOf(message: PipelineMessage): string {
  return `rate-limit-notice/${message.sender_id}/${keyOf(message)}`;
}

/** The counting key: a user or a group, whatever the topic, with one bot and one pipeline. */
function keyOf({ bot_uuid, pipeline_uuid, session_type, session_id }: PipelineMessage): string {
  return `rate-limit/${bot_uuid}/${pipeline_uuid}/${session_type}_${session_id}`;
}
