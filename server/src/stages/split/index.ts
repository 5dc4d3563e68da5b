import type { AnswerChange, AnswerFilter, MessageChain, Stage, StageContext } from '@parley/sdk';
import { boundedAnswer, sizesBesideNotice } from './bounded-answer.ts';
import { type SplitConfig, splitConfig } from './config.ts';
import { allFit, firstMessage, type MessageSizes, splitMessages } from './split-chain.ts';
import { bothOf, type TextSize } from './text-size.ts';

/** Splits answers that exceed the platform's message length into several messages, up to a maximum. */
export const split: Stage<typeof splitConfig> = {
  name: 'split',
  label: { en_US: 'Message splitting', zh_Hans: '拆分消息', ja_JP: 'メッセージの分割' },
  config: splitConfig,
  answer(_message, context): AnswerFilter | null {
    const whole = messageSizes(context.platform);
    if (whole === null) return null;
    const setting = context.config.output['long-text-processing']['maximum-parts'];
    const maximum = Math.min(setting, context.platform.text_limit?.messages ?? setting);
    const sizes = sizesBesideNotice(whole, maximum);
    return {
      show: (chain) => firstMessage(chain, sizes.first),
      finish: (messages) => {
        if (messages.length <= maximum && allFit(messages, whole)) return { messages };
        return finished(messages, sizes, maximum, context);
      },
    };
  },
};

/** The first message may be shown while it is generated. Null where no message has a limit. */
function messageSizes({ text_limit, stream_limit }: StageContext['platform']): MessageSizes | null {
  if (text_limit === null && !stream_limit) return null;
  const following: TextSize = text_limit ?? { most: Number.POSITIVE_INFINITY, unit: 'utf16' };
  return { first: stream_limit ? bothOf(stream_limit, following) : following, following };
}

async function finished(
  messages: MessageChain[],
  sizes: MessageSizes,
  maximum: number,
  context: StageContext<SplitConfig>,
): Promise<AnswerChange> {
  // Text beyond the maximum is not split, however long it is.
  const parts = splitMessages(messages, sizes, maximum + 1);
  if (parts.length > maximum) return boundedAnswer(parts, maximum, context);
  const split = parts.map(({ chain }) => chain);
  if (split.length === messages.length) return { messages: split };
  return { messages: split, reason: 'long_text', details: { messages: split.length } };
}
