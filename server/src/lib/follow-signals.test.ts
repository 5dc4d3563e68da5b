import { expect, it } from 'vitest';
import { followSignals } from './follow-signals.ts';

const controllers = () => [new AbortController(), new AbortController()] as const;

it.each([0, 1] as const)('is aborted with signal %i, for its reason', (index) => {
  const all = controllers();
  const { signal } = followSignals(all.map((controller) => controller.signal));
  expect(signal.aborted).toBe(false);
  all[index].abort('first');
  all[1 - index]?.abort('second');
  expect(signal.reason).toBe('first');
});

it('is aborted from the start when one of them is', () => {
  const [one, other] = controllers();
  other.abort('early');
  expect(followSignals([one.signal, other.signal]).signal.reason).toBe('early');
});

it('is not aborted any more once it was released', () => {
  const [one, other] = controllers();
  const { signal, release } = followSignals([one.signal, other.signal]);
  release();
  one.abort();
  other.abort();
  expect(signal.aborted).toBe(false);
});
