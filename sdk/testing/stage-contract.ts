import { describe, expect, it } from 'vitest';
import type { MessageChain } from '../src/message-chain.ts';
import type { AnswerFilter, PipelineMessage, Stage, StageContext, StageOutcome } from '../src/stage.ts';
import { type FakeStageContextOptions, fakeStageContext, pipelineMessage } from './fake-stage-context.ts';
import { configTests, identityTests } from './identity-tests.ts';
import { filterFaults, outcomeFaults } from './stage-faults.ts';

/** Configuration of the contract tests of a stage. */
export interface StageContractOptions {
  stage: Stage;
  /** Contexts in which the stage does something. Default: one with the default configuration. */
  contexts?: readonly FakeStageContextOptions[];
  /** Messages that the stage does something with. */
  messages?: readonly PipelineMessage[];
  /** Complete answers that the stage does something with. */
  answers?: readonly MessageChain[];
}

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

const nested: MessageChain = [{ type: 'Quote', origin: plain('first') }, ...plain('second')];

const commonChains: readonly MessageChain[] = [
  plain('Hello'),
  [],
  plain(''),
  plain(' \n\t '),
  plain('a'.repeat(20_000)),
  [{ type: 'Image', base64: 'data:image/png;base64,AAAA' }],
  [{ type: 'Source', id: 1, timestamp: 1 }, { type: 'At', target: 'bot' }, ...plain(' 你好 😀')],
  [{ type: 'AtAll' }, ...plain('Hello'), { type: 'Voice', url: 'https://example.com/voice' }, { type: 'Face' }],
  [{ type: 'Quote', id: 7, origin: nested }, ...plain('third')],
  [{ type: 'Forward', node_list: [{ message_chain: plain('forwarded') }] }, { type: 'Unknown' }],
];

const commonMessages = commonChains.flatMap((message_chain) => [
  pipelineMessage({ message_chain }),
  pipelineMessage({ message_chain, session_type: 'group', session_id: 'friends', facts: { group_name: 'Friends' } }),
]);

const defaultAnswers: readonly MessageChain[] = [
  plain('Hello there. How can I help?'),
  plain('你好 😀, 我能帮你什么?'),
  plain('<think>Hm.</think>\n\nThe answer is 42.\n\n```\na < b\n```'),
  [{ type: 'Image', url: 'https://example.com/picture' }, ...plain('A picture.')],
  plain(''),
  [],
];

/** Registers the tests that every {@link Stage} must pass. */
export function stageContract(options: StageContractOptions): void {
  const { stage, contexts = [{}] } = options;
  const messages = [...commonMessages, ...(options.messages ?? [])];
  const cases = contexts.flatMap((context) => {
    const { config } = frozenContext(stage, context);
    const shown = JSON.stringify(context.config ?? {}).slice(0, 250);
    return messages.map((message) => ({
      context,
      config,
      message: freeze(message),
      name: `${JSON.stringify(message.message_chain).slice(0, 250)} with ${shown}`,
    }));
  });

  describe(`stage ${stage.name}`, () => {
    identityTests(stage);

    it('checks messages or filters answers', () => {
      expect(stage.check ?? stage.answer).toBeInstanceOf(Function);
    });

    configTests(stage.config);
    if (stage.check !== undefined) checkTests(stage, stage.check.bind(stage), cases);
    if (stage.answer !== undefined) {
      answerTests(stage, stage.answer.bind(stage), cases, [...defaultAnswers, ...(options.answers ?? [])]);
    }
  });
}

interface Case {
  context: FakeStageContextOptions;
  /** Of the context, frozen once: it may be large. */
  config: StageContext['config'];
  message: PipelineMessage;
  /** The beginning of what it is, for who reads a failure. */
  name: string;
}

function checkTests(stage: Stage, check: NonNullable<Stage['check']>, cases: readonly Case[]): void {
  const look = async ({ context, config, message }: Case) => check(message, frozenContext(stage, context, config));

  it('returns valid outcomes and does not modify its input', async () => {
    for (const each of cases) {
      const waiting = (each.context.waiting ?? []).map(({ uuid }) => uuid);
      expect(outcomeFaults(await look(each), waiting), each.name).toEqual([]);
    }
  });

  it('is deterministic, whatever it processed in between', async () => {
    const first: StageOutcome[] = [];
    for (const each of cases) first.push(await look(each));
    for (const [index, each] of [...cases.entries()].reverse()) {
      expect(await look(each), each.name).toEqual(first[index]);
    }
  });

  it('does not hide failed calls', async () => {
    const reason = new Error('out of order');
    for (const each of cases) {
      let asked = false;
      const ask = () => {
        asked = true;
        return Promise.reject(reason);
      };
      const outcome = await settled(
        look({ ...each, context: { ...each.context, countEvent: ask, waitingMessages: ask } }),
      );
      if (asked) expect(outcome, each.name).toEqual({ error: reason });
      else expect(outcome, each.name).toHaveProperty('outcome');
    }
  });

  it('ends with the reason when the message is aborted, and counts nothing then', async () => {
    const reason = new Error('aborted');
    for (const each of cases) {
      let counted = 0;
      const countEvent = async () => {
        counted += 1;
        return 1;
      };
      const signal = AbortSignal.abort(reason);
      const outcome = await settled(look({ ...each, context: { ...each.context, countEvent, signal } }));
      if ('error' in outcome) expect(outcome.error, each.name).toBe(reason);
      expect(counted, each.name).toBe(0);
    }
  });

  it('ends when the message is aborted while it waits', async () => {
    const reason = new Error('aborted');
    for (const each of cases) {
      const controller = new AbortController();
      const never = () =>
        new Promise<never>((_, reject) => {
          controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
        });
      const { signal } = controller;
      const context = { ...each.context, signal, countEvent: never, waitingMessages: never };
      const outcome = settled(look({ ...each, context }));
      setImmediate(() => controller.abort(reason));
      const found = await outcome;
      if ('error' in found) expect(found.error, each.name).toBe(reason);
    }
  });
}

function answerTests(
  stage: Stage,
  answer: NonNullable<Stage['answer']>,
  cases: readonly Case[],
  answers: readonly MessageChain[],
): void {
  const open = async ({ context, config, message }: Case) => answer(message, frozenContext(stage, context, config));

  it('filters answers correctly and does not modify its input', { timeout: 120_000 }, async () => {
    for (const each of cases) {
      for (const whole of answers) {
        const filter = await open(each);
        if (filter === null) continue;
        const parts = streamed(whole).map(freeze);
        expect(await filterFaults(filter, parts, freeze(whole)), each.name).toEqual([]);
      }
    }
  });

  it('treats one answer without a thought of another', { timeout: 120_000 }, async () => {
    for (const each of cases.slice(0, 4)) {
      const alone: unknown[] = [];
      for (const whole of answers) alone.push(await seen(await open(each), [whole]));
      const filters = await Promise.all(answers.map(() => open(each)));
      const together: unknown[] = answers.map(() => []);
      const steps = Math.max(...answers.map((whole) => streamed(whole).length));
      for (let step = 0; step < steps; step += 1) {
        for (const [index, whole] of answers.entries()) {
          const part = streamed(whole)[step];
          if (part !== undefined) (together[index] as unknown[]).push(filters[index]?.show?.(part) ?? null);
        }
      }
      for (const [index, whole] of answers.entries()) {
        (together[index] as unknown[]).push((await filters[index]?.finish?.([whole])) ?? null);
      }
      expect(together).toEqual(alone);
    }
  });
}

/** All outputs of a filter for one answer. */
async function seen(filter: AnswerFilter | null, [whole]: [MessageChain]): Promise<unknown[]> {
  const shown = streamed(whole).map((part) => filter?.show?.(part) ?? null);
  return [...shown, (await filter?.finish?.([whole])) ?? null];
}

/** The states of a streamed answer: its last text chunk by chunk. */
function streamed(whole: MessageChain): MessageChain[] {
  const last = whole.at(-1);
  if (last?.type !== 'Plain') return [whole];
  const characters = [...last.text];
  const parts: MessageChain[] = [];
  for (let length = 1; length < characters.length; length += 3) {
    parts.push([...whole.slice(0, -1), { ...last, text: characters.slice(0, length).join('') }]);
  }
  return [...parts, whole];
}

/** @param config the frozen configuration of these options, if there is one already */
function frozenContext(stage: Stage, options: FakeStageContextOptions, config?: StageContext['config']): StageContext {
  const context = fakeStageContext(stage, { ...options, waiting: (options.waiting ?? []).map(freeze) });
  return Object.freeze({
    ...context,
    config: config ?? freeze(context.config),
    platform: freeze(context.platform),
  });
}

/** A deeply frozen copy. */
function freeze<Value>(value: Value): Value {
  const copy = structuredClone(value);
  const pending: unknown[] = [copy];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    pending.push(...Object.values(next));
    Object.freeze(next);
  }
  return copy;
}

async function settled(outcome: Promise<StageOutcome>): Promise<{ outcome: StageOutcome } | { error: unknown }> {
  try {
    return { outcome: await outcome };
  } catch (error) {
    return { error };
  }
}
