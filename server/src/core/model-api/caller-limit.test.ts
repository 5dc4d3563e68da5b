import { expect, it } from 'vitest';
import { CallerLimit } from './caller-limit.ts';

const refusal = expect.objectContaining({ reason: 'too_many_requests', retryAfterSeconds: 1 });
const enterTimes = (limit: CallerLimit, caller: string, times: number) =>
  Array.from({ length: times }, () => limit.enter(caller));

it('lets a caller wait for 50 answers, and for another when one was given', () => {
  const limit = new CallerLimit();
  const [leave] = enterTimes(limit, 'a', 50);
  expect(() => limit.enter('a')).toThrow(refusal);
  leave?.();
  limit.enter('a');
  leave?.();
  expect(() => limit.enter('a')).toThrow(refusal);
  limit.enter('b');
});

it('lets all together wait for 500', () => {
  const limit = new CallerLimit();
  const leaves = Array.from({ length: 10 }, (_, index) => enterTimes(limit, `caller ${index}`, 50)).flat();
  expect(() => limit.enter('another')).toThrow(refusal);
  for (const leave of leaves) leave();
  enterTimes(limit, 'another', 50);
});
