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

it('is aborted with others that follow the same signal, whatever their listeners do', () => {
  const [one] = controllers();
  const all = [1, 2, 3].map(() => followSignals([one.signal]).signal);
  for (const signal of all) {
    const inner = followSignals([signal]);
    signal.addEventListener('abort', () => inner.release());
  }
  one.abort('stop');
  expect(all.map(({ reason }) => reason)).toEqual(['stop', 'stop', 'stop']);
});
