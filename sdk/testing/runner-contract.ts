import { describe, expect, it } from 'vitest';
import { ParleyError } from '../src/errors.ts';
import type { Runner, RunnerContext, RunnerDelta, RunnerRequest } from '../src/runner.ts';
import { fakeLanguageModel } from './fake-language-model.ts';
import { identityTests } from './identity-tests.ts';
import { silentLogger } from './silent-logger.ts';

export interface RunnerContractOptions {
  runner: Runner;
  /** Configuration with which the runner answers any text. Asked for in each test that needs one. */
  config: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Configuration with which the runner answers endlessly, until it is told to stop. Default: `config`. */
  endlessConfig?: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Configuration that cannot work. Default `{}`. */
  brokenConfig?: Record<string, unknown>;
  /** What `openModel` gives. Default: a model that talks until it is stopped for the id `endless`, a short one else. */
  openModel?: RunnerContext['openModel'];
}

/** Registers the tests that every {@link Runner} must pass. */
export function runnerContract(options: RunnerContractOptions): void {
  const { runner, brokenConfig = {}, openModel = openFakeModel } = options;
  const endlessConfig = options.endlessConfig ?? options.config;
  const context: RunnerContext = { openModel, logger: silentLogger };

  describe(`runner ${runner.name}`, () => {
    identityTests(runner);

    it('answers', async () => {
      const deltas: RunnerDelta[] = [];
      for await (const delta of runner.answer(requestWith(await options.config()), context)) deltas.push(delta);
      expect(deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')).not.toBe('');
      for (const delta of deltas) {
        expect(['text', 'reasoning', 'usage']).toContain(delta.type);
        if (delta.type !== 'usage') {
          expect(delta.text).not.toBe('');
          continue;
        }
        expect(Number.isInteger(delta.input_tokens) && delta.input_tokens >= 0).toBe(true);
        expect(Number.isInteger(delta.output_tokens) && delta.output_tokens >= 0).toBe(true);
      }
    });

    it('says why it cannot answer', async () => {
      const iterator = runner.answer(requestWith(brokenConfig), context)[Symbol.asyncIterator]();
      await expect(iterator.next()).rejects.toBeInstanceOf(ParleyError);
    });

    it('does not begin an answer that was given up', async () => {
      const reason = new Error('given up');
      const request = requestWith(await options.config(), AbortSignal.abort(reason));
      await expect(runner.answer(request, context)[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    });

    it('ends with the reason when the answer is given up half-way', { timeout: 10_000 }, async () => {
      const controller = new AbortController();
      const reason = new Error('given up');
      const iterator = runner
        .answer(requestWith(await endlessConfig(), controller.signal), context)
        [Symbol.asyncIterator]();
      expect((await iterator.next()).done).toBe(false);
      controller.abort(reason);
      await expect(iterator.next()).rejects.toBe(reason);
    });

    it('can be left half-way', { timeout: 10_000 }, async () => {
      for await (const delta of runner.answer(requestWith(await endlessConfig()), context)) {
        expect(delta.type).toBeDefined();
        break;
      }
    });
  });
}

function requestWith(config: Record<string, unknown>, signal = new AbortController().signal): RunnerRequest {
  return {
    config,
    history: [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello! How can I help?' },
    ],
    text: 'What is the answer?',
    variables: { session_id: 'person_1', sender_name: 'Ada' },
    signal,
  };
}

async function openFakeModel(uuid: string) {
  const chunks = uuid === 'endless' ? { chunks: endlessly(), delayMs: 1 } : {};
  return { uuid, name: 'fake-model', model: fakeLanguageModel(chunks) };
}

function* endlessly(): Generator<string> {
  for (;;) yield 'and so on, ';
}
