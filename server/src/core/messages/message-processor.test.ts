import {
  type ModelCall,
  ParleyError,
  type Runner,
  type RunnerDelta,
  type RunnerRequest,
  type Stage,
  textOfChain,
} from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type LedgerFixture,
  openLedgerFixture,
  type RecordingPlatform,
  recordingPlatform,
} from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import { AnswerRun } from './answer-run.ts';
import type { CommandRun } from './command-run.ts';
import { MessageProcessor } from './message-processor.ts';
import { RunningAnswers } from './running-answers.ts';

const text = (piece: string): RunnerDelta => ({ type: 'text', text: piece });
const call: ModelCall = {
  ...{ model_uuid: newUuid(), model_name: 'small', started_at: '2026-01-01T00:00:00.000Z', milliseconds: 5 },
  ...{ first_piece_milliseconds: 2, input_tokens: 3, output_tokens: 4, reason: null, error: null },
};
const thought = (piece: string): RunnerDelta => ({ type: 'reasoning', text: piece });

describe('processing a message', () => {
  const open: LedgerFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });

  interface Setting {
    /** What the runner says; an error is thrown at that place. */
    says?: (RunnerDelta | Error)[];
    misc?: Record<string, unknown>;
    runner?: string;
    rounds?: number;
    platform?: RecordingPlatform;
    stages?: Stage[];
    /** Called before each thing that the runner says. */
    before?: () => Promise<void> | void;
    command?: string;
  }
  const set = async ({
    says = [],
    misc = {},
    runner = 'local-agent',
    rounds = 10,
    platform,
    stages = [],
    ...rest
  }: Setting) => {
    const used = platform ?? recordingPlatform();
    const config = { ai: { runner: { runner }, 'local-agent': { 'max-round': rounds } }, output: { misc } };
    const fixture = await openLedgerFixture(used, config);
    open.push(fixture);
    const requests: RunnerRequest[] = [];
    const script: Runner = {
      name: 'local-agent',
      label: { en_US: 'Script' },
      async *answer(request) {
        requests.push(request);
        for (const step of says) {
          await rest.before?.();
          request.signal.throwIfAborted();
          if (step instanceof Error) throw step;
          yield step;
        }
      },
    };
    const openModel = () => Promise.reject(new ParleyError('model_not_configured', 'There is no model'));
    const answers = new AnswerRun(fixture.store, {
      runners: [script],
      openModel,
      retrieve: async () => [],
      tools: { forMessage: () => ({}) } as never,
      media: {} as never,
      costOf: ({ input_tokens }) => input_tokens * 2,
      logger: silentLogger,
    });
    const commands = {
      parse: ({ message_chain }) =>
        textOfChain(message_chain) === rest.command ? { name: 'x', parameters: [], prefix: '!' } : null,
      run: async () => ({ text: 'Done', message_chain: [], reason: 'command' }),
    } as Pick<CommandRun, 'parse' | 'run'> as CommandRun;
    const running = new RunningAnswers();
    const counter = { countEvent: async () => 1 };
    const options = { stages, answers, commands, running, counter, logger: silentLogger } as never;
    const processor = new MessageProcessor(fixture.store, fixture.runtime, fixture.pipelines, options);
    return { ...fixture, processor, running, requests, platform: used };
  };
  type Set = Awaited<ReturnType<typeof set>>;
  const process = async (used: Set, message?: Awaited<ReturnType<Set['received']>>) => {
    const taken = message ?? (await used.received('Hello'));
    await used.processor.process(taken, new AbortController().signal);
    const messages = await used.store.conversationMessages(taken.conversation_uuid, 100);
    const question = messages.find(({ uuid }) => uuid === taken.uuid);
    const answer = messages.find(({ reply_to }) => reply_to === taken.uuid);
    const deliveries = await used.storage.database.selectFrom('deliveries').selectAll().orderBy('piece').execute();
    const traces = await used.storage.database.selectFrom('message_traces').selectAll().execute();
    const trace = traces.find(({ message_uuid }) => message_uuid === taken.uuid);
    const gates: { name: string; outcome: string; reason: string | null }[] =
      trace === undefined ? [] : JSON.parse(trace.trace).gates;
    return { question, answer, delivery: deliveries[0], deliveries, gates, shown: used.platform.shown };
  };

  it('streams the answer, delivers it whole and stores it', async () => {
    const used = await set({
      says: [text('Hel'), { type: 'model_call', call }, text('lo')],
    });
    const { question, answer, delivery, gates, shown } = await process(used);
    expect(gates).toMatchObject([{ name: 'runner', outcome: 'passed', reason: null }]);
    expect(await used.storage.database.selectFrom('model_calls').selectAll().execute()).toMatchObject([
      { ...call, message_uuid: question?.uuid, cost: 6 },
    ]);
    expect(shown).toEqual(['+Hel', '+Hello', '=Hello']);
    expect(question).toMatchObject({ state: 'answered', reason: 'answered', finished_at: expect.any(String) });
    expect(answer).toMatchObject({
      state: 'finished',
      text: 'Hello',
      message_chain: [{ type: 'Plain', text: 'Hello' }],
    });
    expect(delivery).toMatchObject({ message_uuid: answer?.uuid, state: 'sent', reason: null });
    expect(used.requests[0]).toMatchObject({
      text: 'Hello',
      history: [],
      variables: {
        launcher_type: 'person',
        launcher_id: 'ada',
        sender_id: 'ada',
        sender_name: 'Ada',
        session_id: 'person_ada',
        user_message_text: 'Hello',
        msg_create_time: expect.stringMatching(/^\d{10}$/),
      },
    });
  });

  it('sends the answer at once where messages cannot grow', async () => {
    const used = await set({ says: [text('Hel'), text('lo')], platform: recordingPlatform({ streaming: false }) });
    const { shown } = await process(used);
    expect(shown).toEqual(['=Hello']);
    expect(used.platform.sent[0]).toMatchObject({ sequence: 2, target: { session_type: 'person', session_id: 'ada' } });
    expect(used.platform.sent[0]?.idempotency_token).toBe(used.platform.sent[0]?.uuid);
  });

  it('gives the runner its own group of the configuration and what was said before', async () => {
    const used = await set({ says: [text('Answer')], rounds: 2 });
    for (const question of ['one', 'two', 'three', 'four']) await process(used, await used.received(question));
    expect(used.requests.at(-1)?.config).toMatchObject({ 'max-round': 2 });
    expect(used.requests.at(-1)?.history).toMatchObject([
      { role: 'user', text: 'two' },
      { role: 'assistant', text: 'Answer' },
      { role: 'user', text: 'three' },
      { role: 'assistant', text: 'Answer' },
    ]);
  });

  it.each([
    ['is shown', {}, [thought('Hm'), thought('.'), text('Yes')], '<think>\nHm.\n</think>\n\nYes'],
    ['is left out', { 'remove-think': true }, [thought('Hm'), text('Yes')], 'Yes'],
    ['comes after words', {}, [text('Well'), thought('Hm'), text('Yes')], 'Well<think>\nHm\n</think>\n\nYes'],
    ['is all there is', {}, [thought('Hm')], '<think>\nHm\n</think>\n\n'],
    [
      'is cut by a failure',
      {},
      [thought('Hm'), new ParleyError('provider_failed', 'no')],
      '<think>\nHm\n</think>\n\n\n\nRequest failed.',
    ],
  ])('keeps apart what is thought aloud when it %s', async (_, misc, says, expected) => {
    const { answer } = await process(await set({ says, misc }));
    expect(answer?.message_chain).toEqual([{ type: 'Plain', text: expected }]);
  });

  it.each<[string, Record<string, unknown>, Error, string | undefined, string]>([
    ['the hint', {}, new ParleyError('provider_failed', 'It is down'), 'Request failed.', 'provider_failed'],
    ['its own hint', { 'failure-hint': 'Sorry.' }, new ParleyError('quota', 'Used up'), 'Sorry.', 'quota'],
    [
      'the error',
      { 'exception-handling': 'show-error' },
      new ParleyError('provider_timeout', 'Too late'),
      'Too late',
      'provider_timeout',
    ],
    [
      'nothing of the inside of an unexpected error',
      { 'exception-handling': 'show-error' },
      new Error('password is hunter2'),
      'An unexpected fault',
      'internal',
    ],
    ['nothing', { 'exception-handling': 'hide' }, new ParleyError('quota', 'Used up'), undefined, 'quota'],
  ])('says %s when the runner fails', async (_, misc, failure, shown, reason) => {
    const { question, answer, delivery } = await process(await set({ says: [failure], misc }));
    expect(question).toMatchObject({ state: 'failed', reason });
    expect(answer?.text).toBe(shown);
    if (shown === undefined) expect(delivery).toBeUndefined();
    else expect([answer?.state, delivery?.state]).toEqual(['failed', 'sent']);
  });

  it.each([
    ['show-hint', 'Well,\n\nRequest failed.'],
    ['show-error', 'Well,\n\nIt is down'],
    ['hide', 'Well,'],
  ])('keeps what was said before a failure with %s', async (handling, expected) => {
    const says = [text('Well,'), new ParleyError('provider_failed', 'It is down')];
    const used = await set({ says, misc: { 'exception-handling': handling } });
    const { question, answer, shown } = await process(used);
    expect(shown).toEqual(['+Well,', `=${expected}`]);
    expect(answer).toMatchObject({ text: expected, state: 'failed' });
    expect(question).toMatchObject({ state: 'failed', reason: 'provider_failed' });
    const { sequence } = await used.received('next');
    expect(await used.store.history(question?.conversation_uuid as string, sequence, 10)).toEqual([]);
  });

  it('ends without an answer when the runner says nothing', async () => {
    const { question, answer, delivery, shown } = await process(await set({ says: [] }));
    expect(question).toMatchObject({ state: 'answered', reason: 'answered' });
    expect([answer, delivery, shown]).toEqual([undefined, undefined, []]);
  });

  it('says that the runner is not installed', async () => {
    const used = await set({ runner: 'missing', misc: { 'exception-handling': 'show-error' } });
    const { question, answer } = await process(used);
    expect(question).toMatchObject({ state: 'failed', reason: 'runner_not_found' });
    expect(answer?.text).toContain('missing');
  });

  it('stops where there is no pipeline, or none any more', async () => {
    const used = await set({ says: [text('Hello')] });
    for (const pipeline_uuid of ['', newUuid()]) {
      const { question, answer } = await process(used, await used.received('Hello', { pipeline_uuid }));
      expect(question).toMatchObject({ state: 'stopped', reason: 'no_pipeline' });
      expect(answer).toBeUndefined();
    }
  });

  it.each<[string, string, (used: Set) => Promise<unknown>]>([
    ['was switched off', 'bot_disabled', (used) => used.botService.update(used.botUuid, { enable: false })],
    ['is gone', 'not_found', (used) => used.botService.delete(used.botUuid)],
  ])('stops where the bot %s', async (_, reason, change) => {
    const used = await set({ says: [text('Hello')] });
    const message = await used.received('Hello');
    await change(used);
    const { question } = await process(used, message);
    expect(question).toMatchObject({ state: 'stopped', reason });
    expect(used.requests).toEqual([]);
  });

  it('leaves the message in the queue while the bot is not connected', async () => {
    const used = await set({ says: [text('Hello')] });
    const message = await used.received('Hello');
    await used.runtime.stop();
    const { question } = await process(used, message);
    expect(question).toMatchObject({ state: 'received', reason: null });
    expect(used.runtime.heldBots()).toEqual([used.botUuid]);
    expect(await used.store.claim(used.runtime.heldBots())).toBeNull();
    expect(used.requests).toEqual([]);
  });

  it('makes a bot wait of which it hears for the first time', async () => {
    const used = await set({ says: [text('Hello')] });
    const bot_uuid = newUuid();
    const bot = await used.bots.storedByUuid(used.botUuid);
    if (bot === null) throw new Error('there is no bot');
    const { use_pipeline_name: _, ...record } = bot;
    await used.bots.create({ ...record, uuid: bot_uuid, adapter: 'of a plugin that was removed' });
    const { question } = await process(used, await used.received('Hello', { bot_uuid }));
    expect(question).toMatchObject({ state: 'received' });
    expect(used.runtime.heldBots()).toEqual([bot_uuid]);
  });

  it.each<[string, Error, string, string]>([
    ['with the reason of the platform', new ParleyError('window_closed', 'Too late'), 'window_closed', 'Too late'],
    ['without the inside of an unexpected error', new Error('secret'), 'platform_failed', 'Sending failed'],
  ])('stores that an answer was not delivered, %s', async (_, failure, reason, error) => {
    const used = await set({ says: [text('Hello')] });
    used.platform.refuse = (kind) => {
      if (kind === 'finish') throw failure;
    };
    const { question, answer, delivery } = await process(used);
    expect(question).toMatchObject({ state: 'failed', reason });
    expect(answer).toMatchObject({ state: 'finished', text: 'Hello' });
    expect(delivery).toMatchObject({ state: 'failed', reason, error });
    expect(used.events.at(-1)?.[1]).toMatchObject({ level: 'error', text: `A message was not delivered: ${error}` });
  });

  it.each(['begin', 'update'] as const)(
    'delivers the whole answer although showing it failed at %s',
    async (failing) => {
      const used = await set({ says: [text('Hel'), text('lo')] });
      used.platform.refuse = (kind) => {
        if (kind === failing) throw new ParleyError('platform_failed', 'not now');
      };
      const { question, delivery, shown } = await process(used);
      expect(shown).toEqual(['=Hello']);
      expect(question).toMatchObject({ state: 'answered' });
      expect(delivery).toMatchObject({ state: 'sent' });
    },
  );

  it('hands the message back when it is told to stop, and goes on with the same answer', async () => {
    const controller = new AbortController();
    const reason = new Error('stopping');
    const used = await set({ says: [text('Hel'), text('lo')] });
    const message = await used.received('Hello');
    used.platform.refuse = () => controller.abort(reason);
    await expect(used.processor.process(message, controller.signal)).rejects.toBe(reason);
    await used.store.release(message.uuid, null);
    const again = await used.store.claim([]);
    expect(again).toMatchObject({ uuid: message.uuid, attempts: 2 });
    used.platform.refuse = () => undefined;
    const { answer, question } = await process(used, again as typeof message);
    expect(question).toMatchObject({ state: 'answered' });
    expect(answer).toMatchObject({ sequence: 2, text: 'Hello' });
    expect(await used.store.conversationMessages(message.conversation_uuid, 10)).toHaveLength(2);
  });

  describe('through stages', () => {
    const stage = (name: string, parts: Partial<Stage>): Stage => ({ name, label: { en_US: name }, ...parts });

    it('stops where one says so, with its notice and its reason', async () => {
      const drop = stage('drop', { check: () => ({ outcome: 'stop', reason: 'rate_limited', notice: 'Slowly' }) });
      const used = await set({ says: [text('Hello')], stages: [drop] });
      const { question, answer, gates, shown } = await process(used);
      expect(question).toMatchObject({ state: 'stopped', reason: 'rate_limited' });
      expect(answer).toMatchObject({ state: 'failed', text: 'Slowly' });
      expect(shown).toEqual(['=Slowly']);
      expect(gates).toMatchObject([{ name: 'drop', outcome: 'stopped', reason: 'rate_limited' }]);
      expect(used.requests).toEqual([]);
    });

    it('says nothing where one stops it in silence', async () => {
      const drop = stage('drop', { check: () => ({ outcome: 'stop', reason: 'ignored' }) });
      const { question, answer, gates } = await process(await set({ stages: [drop] }));
      expect(question).toMatchObject({ state: 'stopped', reason: 'ignored' });
      expect(answer).toBeUndefined();
      expect(gates).toMatchObject([{ name: 'drop', outcome: 'stopped' }]);
    });

    it('waits where one says so, and is handed out again when it is time', async () => {
      const until = new Date(Date.now() + 60_000).toISOString();
      const hold = stage('hold', { check: () => ({ outcome: 'wait', until, reason: 'aggregating' }) });
      const used = await set({ says: [text('Hello')], stages: [hold] });
      const { question } = await process(used);
      expect(question).toMatchObject({ state: 'received', reason: 'aggregating' });
      expect(await used.store.claim([])).toBeNull();
      expect(await used.store.nextDue()).toBe(Date.parse(until));
    });

    it('is answered together with what waited behind it', async () => {
      const join = stage('join', {
        check: async (message, context) => {
          const waiting = await context.waitingMessages();
          const chain = [message, ...waiting].flatMap(({ message_chain }) => message_chain);
          return { outcome: 'merge', message_chain: chain, merged: waiting.map(({ uuid }) => uuid) };
        },
      });
      const used = await set({ says: [text('Both')], stages: [join] });
      const key = { bot_uuid: used.botUuid, pipeline_uuid: used.pipelineUuid };
      const first = await used.received('one');
      await used.store.accept(conversationKey(key), messageEvent(' two'));
      const { question, answer } = await process(used, first);
      expect(used.requests[0]?.text).toBe('one two');
      expect(question).toMatchObject({ state: 'answered' });
      expect(answer).toMatchObject({ text: 'Both' });
      const [merged] = (await used.store.conversationMessages(first.conversation_uuid, 10)).filter(
        ({ merged_into }) => merged_into !== null,
      );
      expect(merged).toMatchObject({ state: 'stopped', reason: 'merged', merged_into: first.uuid, text: ' two' });
      expect(await used.store.claim([])).toBeNull();
    });

    it('is answered with what the stages make of the answer, each message delivered', async () => {
      const split = stage('split', {
        answer: () => ({
          show: (chain) => chain.slice(0, 1),
          finish: ([chain = []]) => ({ messages: [chain, [{ type: 'Plain', text: 'PS' }]], reason: 'long_text' }),
        }),
      });
      const used = await set({ says: [text('Hello')], stages: [split] });
      const { deliveries, gates, answer, shown } = await process(used);
      expect(shown).toEqual(['+Hello', '=Hello', '=PS']);
      expect(deliveries).toMatchObject([
        { piece: 0, state: 'sent', idempotency_token: answer?.uuid },
        { piece: 1, state: 'sent', idempotency_token: `${answer?.uuid}.1` },
      ]);
      expect(gates).toMatchObject([{ name: 'runner' }, { name: 'split', outcome: 'changed', reason: 'long_text' }]);
    });

    it('shows nothing before the end where a stage needs the whole text', async () => {
      const whole = stage('whole', { answer: () => ({ needsWholeText: true }) });
      const { shown } = await process(await set({ says: [text('Hel'), text('lo')], stages: [whole] }));
      expect(shown).toEqual(['=Hello']);
    });

    it('sends nothing of an answer that a stage fails on', async () => {
      const broken = stage('broken', { answer: () => ({ finish: () => Promise.reject(new Error('x')) }) });
      const used = await set({
        says: [text('secret')],
        stages: [broken],
        platform: recordingPlatform({ streaming: false }),
      });
      const { question, shown } = await process(used);
      expect(shown).toEqual(['=Request failed.']);
      expect(question).toMatchObject({ state: 'failed', reason: 'stage_failed' });
    });

    it('fails where one fails, and says so', async () => {
      const broken = stage('broken', { check: () => Promise.reject(new Error('x')) });
      const { question, gates, shown } = await process(await set({ stages: [broken] }));
      expect(shown).toEqual(['=Request failed.']);
      expect(question).toMatchObject({ state: 'failed', reason: 'stage_failed' });
      expect(gates).toMatchObject([{ name: 'broken', outcome: 'failed', reason: 'stage_failed' }]);
    });

    it('waits before it is answered as long as a stage says', async () => {
      const pause = stage('pause', { answer: () => ({ delayMilliseconds: 50 }) });
      const used = await set({ says: [text('Hello')], stages: [pause] });
      const started = performance.now();
      const { gates, shown } = await process(used);
      expect(performance.now() - started).toBeGreaterThanOrEqual(45);
      expect(shown).toEqual(['=Hello']);
      expect(gates.at(-1)).toMatchObject({ outcome: 'changed', reason: 'delayed' });
    });
  });

  it('carries out a command instead of asking a model', async () => {
    const used = await set({ says: [text('Hello')], command: '!x' });
    const { question, answer, gates } = await process(used, await used.received('!x'));
    expect(question).toMatchObject({ state: 'stopped', reason: 'command' });
    expect(answer).toMatchObject({ state: 'failed', text: 'Done' });
    expect(gates).toMatchObject([
      { name: 'command', outcome: 'stopped', reason: 'command', details: { command: 'x' } },
    ]);
    expect(used.requests).toEqual([]);
  });

  describe('that is cancelled', () => {
    it.each([
      ['ends what was shown where it is', true, ['+Hel', '=Hel']],
      ['says nothing when nothing was shown', false, []],
    ])('%s', async (_, streaming, expected) => {
      let said = 0;
      const used: Set = await set({
        says: [text('Hel'), text('lo')],
        platform: recordingPlatform({ streaming }),
        before: () => {
          said += 1;
          if (said === 2) used.running.cancel(message.conversation_uuid, 'cancelled');
        },
      });
      const message = await used.received('Hello');
      const { question, answer, shown } = await process(used, message);
      expect(question).toMatchObject({ state: 'stopped', reason: 'cancelled' });
      expect(shown).toEqual(expected);
      expect(answer?.state).toBe(streaming ? 'failed' : undefined);
    });
  });

  describe('after a crash', () => {
    const crashed = async (idempotent_sends: boolean, state: 'sending' | 'pending') => {
      const used = await set({
        says: [text('Again')],
        platform: recordingPlatform({ streaming: false, idempotent_sends }),
      });
      const message = await used.received('Hello');
      const pieces = ['one', 'two'].map((piece) => [{ type: 'Plain', text: piece } as const]);
      const outcome = { state: 'answered', reason: 'answered' } as const;
      const answer = { pieces, text: 'one two', state: 'finished', outcome, merged: [] } as const;
      const record = { trace: { attempt: 1, gates: [] }, model_calls: [] };
      const stored = await used.store.finishAnswer(message, { ...answer, pieces }, record);
      const sent = { state: 'sent', reason: null, error: null, platform_message_id: '1' } as const;
      if (state === 'pending') await used.store.settleDelivery(stored.message.uuid, 0, sent);
      await used.store.recover();
      const again = await used.store.claim([]);
      if (again === null) throw new Error('nothing was waiting');
      return { used, again };
    };

    it('sends what is left of a complete answer, and asks no model', async () => {
      const { used, again } = await crashed(true, 'pending');
      const { question, deliveries, shown } = await process(used, again);
      expect(question).toMatchObject({ state: 'answered', reason: 'answered', attempts: 2 });
      expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'sent']);
      expect(shown).toEqual(['=two']);
      expect(used.requests).toEqual([]);
    });

    it('sends again what was under way, with the same token, where the platform drops repeats', async () => {
      const { used, again } = await crashed(true, 'sending');
      const { deliveries, shown } = await process(used, again);
      expect(shown).toEqual(['=one', '=two']);
      expect(used.platform.sent.map((message) => message.idempotency_token)).toEqual(
        deliveries.map((delivery) => delivery.idempotency_token),
      );
    });

    it('does not send again what was under way elsewhere, and says that it may have arrived', async () => {
      const { used, again } = await crashed(false, 'sending');
      const { question, deliveries, shown } = await process(used, again);
      expect(shown).toEqual(['=two']);
      expect(deliveries).toMatchObject([
        { state: 'uncertain', reason: 'interrupted' },
        { state: 'sent', reason: null },
      ]);
      expect(question).toMatchObject({ state: 'answered' });
    });
  });
});
