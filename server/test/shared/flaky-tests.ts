import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * A machine that stands still for seconds fails one test in tens of thousands. Random input that was found to break a
 * property would not be tried again.
 */
export const secondAttempt = { count: 1, condition: /^(?!Property failed)/ };

/** How many tests of a run may need a second attempt. */
const mostFlaky = 3;

/**
 * Names the tests that passed only when repeated, with what failed first: each is a defect of the test or of the
 * product. The run fails when there are many.
 */
export class FlakyTests implements Reporter {
  readonly #write: (text: string) => void;
  readonly #fail: () => void;

  constructor(
    write = (text: string) => void process.stderr.write(text),
    fail = () => {
      process.exitCode = 1;
    },
  ) {
    this.#write = write;
    this.#fail = fail;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests()].filter(isFlaky));
    if (flaky.length === 0) return;
    this.#write(`\nPassed only at the second attempt (${mostFlaky} may in a run):\n${flaky.map(lineOf).join('')}`);
    if (flaky.length > mostFlaky) this.#fail();
  }
}

function isFlaky(test: TestCase): boolean {
  return test.diagnostic()?.flaky === true;
}

function lineOf(test: TestCase): string {
  const messages = (test.result().errors ?? []).map(({ message }) => message.replaceAll('\n', '\n    '));
  return `  ${test.module.relativeModuleId} > ${test.fullName}\n${messages.map((message) => `    ${message}\n`).join('')}`;
}
