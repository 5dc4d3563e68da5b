import { expect, it } from 'vitest';
import { RefusalBudget } from './refusal-budget.ts';
import { adapterTests, outgoing, plain } from './testing/start-adapter.ts';

it('pauses after many refusals in ten minutes, until the oldest of them are past', () => {
  let now = 1000;
  const budget = new RefusalBudget(() => now);
  for (let count = 0; count < 299; count += 1) budget.count();
  budget.check();
  now += 60_000;
  budget.count();
  expect(() => budget.check()).toThrow(
    expect.objectContaining({ kind: 'not_sent', rateLimit: { pauseMs: 540_000, scope: 'bot' } }),
  );
  now += 540_000;
  budget.check();
});

const tests = adapterTests();

it('keeps a bot from calling Discord once it was refused too often', async () => {
  const { adapter } = await tests.start();
  tests.fake.world.general.denied = 'seeing';
  const failures = new Map<string, number>();
  for (let count = 0; count < 310; count += 1) {
    const failure = await adapter.send(outgoing(tests.fake.group(), plain('Hello'))).catch((error: unknown) => error);
    const { reason } = failure as { reason: string };
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
    // The headers of the fake would pause the calls before.
    tests.fake.rest.bucket = { most: 10_000, periodMs: 5000 };
  }
  expect(Object.fromEntries(failures)).toEqual({ unknown_target: 300, quota: 10 });
  expect(tests.fake.calls('send')).toBe(300);
});
