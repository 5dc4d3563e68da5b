import type { Words } from '@parley/sdk/fields';

/** Longest wait for a service that a pipeline may set, seconds. */
export const maximumTimeoutSeconds = 86_400;

/** Seconds that a service may stay silent when its timeout is 0. */
const defaultTimeoutSeconds = 120;

/** Help of a timeout setting. */
export const silenceHelp: Words = [
  'Maximum seconds without a response; 0 for 120.',
  '服务最长可以不作响应的时间，单位为秒；0 表示 120 秒。',
  'サービスの応答を待つ秒数です。0の場合は120秒です。',
];

/** A timeout setting in milliseconds; 0 means the default. */
export function timeoutMs(seconds: number): number {
  return (seconds > 0 ? seconds : defaultTimeoutSeconds) * 1000;
}
