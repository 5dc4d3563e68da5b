import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config-schema.ts';
import { ParleyError, reasons } from '../src/errors.ts';
import { messageElements } from '../src/message-chain.ts';
import type { ModelCall, Runner, RunnerContext, RunnerDelta, RunnerRequest } from '../src/runner.ts';
import { fakeLanguageModel } from './fake-language-model.ts';
import { fakeRunnerContext, openedModel } from './fake-runner-context.ts';
import { pipelineMessage } from './fake-stage-context.ts';
import { configTests, identityTests } from './identity-tests.ts';

export interface RunnerContractOptions {
  runner: Runner;
  /** Configuration with which the runner answers any text. Called in each test that needs one. */
  config: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Configuration with which the runner answers endlessly, until it is aborted. Default: `config`. */
  endlessConfig?: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Knowledge bases of the pipeline. Default: none. */
  knowledgeBases?: readonly string[];
  /** Configuration that cannot work. Default `{}`. */
  brokenConfig?: Record<string, unknown>;
  /**
   * Context of the runner. Default: no tools, files or passages; a model that generates until it is aborted for the id
   * `endless`, otherwise a short answer.
   */
  context?: RunnerContext;
}

/** Registers the tests that every {@link Runner} must pass. */
export function runnerContract(options: RunnerContractOptions): void {
  const { runner, brokenConfig = {}, context = fakeRunnerContext({ openModel: openFakeModel }) } = options;
  const endlessConfig = options.endlessConfig ?? options.config;

  describe(`runner ${runner.name}`, () => {
    identityTests(runner);
    configTests(runner.config);

    it('answers', async () => {
      const deltas = await allOf(runner.answer(requestWith(options, await options.config()), context));
      expect(deltas.some(({ type }) => type === 'text' || type === 'attachment')).toBe(true);
      for (const delta of deltas) expectWellFormed(delta);
    });

    it('answers several at the same time', async () => {
      const config = await options.config();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => allOf(runner.answer(requestWith(options, config), context))),
      );
      for (const deltas of answers) {
        expect(deltas.some(({ type }) => type === 'text' || type === 'attachment')).toBe(true);
      }
    });

    it('reports why it cannot answer', async () => {
      const iterator = runner.answer(requestWith(options, brokenConfig), context)[Symbol.asyncIterator]();
      await expect(iterator.next()).rejects.toBeInstanceOf(ParleyError);
    });

    it('does not start an aborted answer', async () => {
      const reason = new Error('aborted');
      const request = requestWith(options, await options.config(), AbortSignal.abort(reason));
      await expect(runner.answer(request, context)[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    });

    it('ends with the reason when the answer is aborted half-way', { timeout: 10_000 }, async () => {
      const controller = new AbortController();
      const reason = new Error('aborted');
      const iterator = runner
        .answer(requestWith(options, await endlessConfig(), controller.signal), context)
        [Symbol.asyncIterator]();
      expect((await iterator.next()).done).toBe(false);
      controller.abort(reason);
      const rest: RunnerDelta[] = [];
      const ending = (async () => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) rest.push(next.value);
      })();
      await expect(ending).rejects.toBe(reason);
      expect(rest.filter(({ type }) => type !== 'model_call')).toEqual([]);
    });

    it('can be left half-way', { timeout: 10_000 }, async () => {
      for await (const delta of runner.answer(requestWith(options, await endlessConfig()), context)) {
        expect(delta.type).toBeDefined();
        break;
      }
    });
  });
}

async function allOf(answer: AsyncIterable<RunnerDelta>): Promise<RunnerDelta[]> {
  const deltas: RunnerDelta[] = [];
  for await (const delta of answer) deltas.push(delta);
  return deltas;
}

function expectWellFormed(delta: RunnerDelta): void {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
      expect(delta.text).not.toBe('');
      break;
    case 'attachment':
      expect(Check(messageElements[delta.element.type], delta.element)).toBe(true);
      break;
    case 'tool_call':
      expect(delta.name).not.toBe('');
      break;
    case 'appendix':
      expect(delta.text.trim()).not.toBe('');
      break;
    case 'retrieval':
      expectTimestamp(delta.retrieval.started_at);
      expect(delta.retrieval.knowledge_bases).not.toEqual([]);
      break;
    case 'citations':
      expect(delta.report.dropped).toBeGreaterThanOrEqual(0);
      for (const { number } of delta.report.citations) expect(number).toBeGreaterThanOrEqual(1);
      break;
    case 'model_call':
      expectWellRecorded(delta.call);
      break;
    default:
      expect.unreachable(`there is no delta of the type ${(delta as { type: string }).type}`);
  }
}

function expectWellRecorded(call: ModelCall): void {
  expectTimestamp(call.started_at);
  for (const count of [call.milliseconds, call.input_tokens, call.output_tokens, call.first_piece_milliseconds ?? 0]) {
    expect(Number.isInteger(count) && count >= 0).toBe(true);
  }
  expect(call.first_piece_milliseconds ?? 0).toBeLessThanOrEqual(call.milliseconds);
  if (call.reason !== null) expect(Object.keys(reasons)).toContain(call.reason);
}

function expectTimestamp(text: string): void {
  expect(new Date(text).toISOString()).toBe(text);
}

function requestWith(
  { runner, knowledgeBases = [] }: RunnerContractOptions,
  config: Record<string, unknown>,
  signal = new AbortController().signal,
): RunnerRequest {
  const text = 'What is the answer?';
  const complete = runner.config === undefined ? config : readConfig(runner.config, config);
  return {
    config: complete,
    prompt: runner.prompt?.(complete) ?? [],
    message: pipelineMessage({ message_chain: [{ type: 'Plain', text }] }),
    history: [
      { role: 'user', text: 'Hello', message_chain: [{ type: 'Plain', text: 'Hello' }] },
      { role: 'assistant', text: 'Hello! How can I help?', message_chain: [] },
    ],
    text,
    message_chain: [{ type: 'Plain', text }],
    knowledge_bases: knowledgeBases,
    variables: { session_id: 'person_1', sender_name: 'Ada' },
    signal,
  };
}

async function openFakeModel(uuid: string) {
  const chunks = uuid === 'endless' ? { chunks: endlessly(), delayMs: 1 } : {};
  return openedModel(uuid, fakeLanguageModel(chunks));
}

function* endlessly(): Generator<string> {
  for (;;) yield 'and so on, ';
}
