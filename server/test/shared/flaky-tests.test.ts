import { expect, test } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { FlakyTests, secondAttempt } from './flaky-tests.ts';

const attemptsOf = (flaky: boolean, name: string) =>
  ({
    fullName: name,
    module: { relativeModuleId: 'some.test.ts' },
    diagnostic: () => ({ flaky }),
    result: () => ({ errors: flaky ? [{ message: 'expected\nreceived' }] : [] }),
    // What the reporter reads of a test.
  }) as unknown as TestCase;

function run(tests: TestCase[]) {
  const seen = { text: '', isFailed: false };
  const reporter = new FlakyTests(
    (text) => {
      seen.text += text;
    },
    () => {
      seen.isFailed = true;
    },
  );
  // What the reporter reads of a module.
  reporter.onTestRunEnd([{ children: { allTests: () => tests } } as unknown as TestModule]);
  return seen;
}

test('A run in which every test passed at once says nothing', () => {
  expect(run([attemptsOf(false, 'steady')])).toEqual({ text: '', isFailed: false });
});

test('A test that passed at the second attempt is named with what failed first', () => {
  const { text, isFailed } = run([attemptsOf(false, 'steady'), attemptsOf(true, 'shaky')]);
  expect(text).toContain('some.test.ts > shaky\n    expected\n    received\n');
  expect(text).not.toContain('steady');
  expect(isFailed).toBe(false);
});

test('Many such tests fail the run', () => {
  expect(run(Array.from({ length: 4 }, (_, index) => attemptsOf(true, `shaky ${index}`))).isFailed).toBe(true);
});

test('A property that random input breaks is not tried again', () => {
  expect(secondAttempt.condition.test('Property failed after 3 tests')).toBe(false);
  expect(secondAttempt.condition.test('expected 1 to be 2')).toBe(true);
});
