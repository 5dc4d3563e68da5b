import type { AnswerFilter, Stage } from '@parley/sdk';
import { delayConfig } from './config.ts';

export interface DelayOptions {
  /** From 0 up to but not including 1. */
  random?: () => number;
}

/** Delays answers by a random time between two bounds, in any order. The caller does the waiting. */
export function createDelay({ random = Math.random }: DelayOptions = {}): Stage<typeof delayConfig> {
  return {
    name: 'delay',
    label: { en_US: 'Send delay', zh_Hans: '延迟发送', ja_JP: '送信の遅延' },
    config: delayConfig,
    answer(_message, { config }): AnswerFilter | null {
      const { min, max } = config.output['force-delay'];
      const [least, most] = min <= max ? [min, max] : [max, min];
      const seconds = least + random() * (most - least);
      return seconds > 0 ? { delayMs: Math.round(seconds * 1000) } : null;
    },
  };
}
