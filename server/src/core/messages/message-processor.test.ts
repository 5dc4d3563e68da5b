import { type ModelCall, ParleyError, type RunnerDelta } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed as process,
} from '../../../test/stores/processor-fixture.ts';
import { newUuid } from '../../lib/uuid.ts';
import { removeThink } from '../../stages/remove-think/index.ts';
import { KyselyMessageReader } from '../../storage/messages/kysely-message-reader.ts';

const text = (piece: string): RunnerDelta => ({ type: 'text', text: piece });
const call: ModelCall = {
  model_uuid: newUuid(),
  model_name: 'small',
  started_at: '2026-01-01T00:00:00.000Z',
  milliseconds: 5,
  first_piece_milliseconds: 2,
  input_tokens: 3,
  output_tokens: 4,
  reason: null,
  error: null,
};
const thought = (piece: string): RunnerDelta => ({ type: 'reasoning', text: piece });

describe('processing a message', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (setting: ProcessorSetting) => {
    const fixture = await openProcessorFixture(setting);
    open.push(fixture);
    return fixture;
  };
  /** A platform on which callers wait for answers until they disconnect. */
  const attended = (signal: AbortSignal) => {
    const platform = recordingPlatform();
    const { create } = platform.implementation;
    platform.implementation.create = (config, context) =>
      Object.assign(create(config, context), { attention: () => signal });
    return platform;
  };
  const leaving = new ParleyError('client_closed_request', 'Gone');

  it('generates nothing for a caller who has disconnected', async () => {
    const used = await set({ says: [text('Hello')], platform: attended(AbortSignal.abort(leaving)) });
    const { question, answer } = await process(used);
    expect(question).toMatchObject({ state: 'stopped', reason: 'client_closed_request' });
    expect(answer).toBeUndefined();
    expect(used.requests).toEqual([]);
  });

  it('ends an answer when its caller disconnects', async () => {
    const controller = new AbortController();
    const before = () => controller.abort(leaving);
    const used = await set({ says: [text('Hello')], platform: attended(controller.signal), before });
    const { question, answer, gates } = await process(used);
    expect(question).toMatchObject({ state: 'stopped', reason: 'client_closed_request' });
    expect(answer).toBeUndefined();
    expect(gates.at(-1)).toMatchObject({ name: 'runner', outcome: 'failed', reason: 'client_closed_request' });
  });

  it('answers a waiting caller', async () => {
    const used = await set({ says: [text('Hello')], platform: attended(new AbortController().signal) });
    expect((await process(used)).question).toMatchObject({ state: 'answered' });
  });

  it('ignores commands on a platform without them', async () => {
    const platform = Object.assign(recordingPlatform(), { commands: false });
    const used = await set({ says: [text('Hi')], command: 'Hello', platform });
    expect((await process(used)).answer).toMatchObject({ text: 'Hi' });
  });

  it('passes the variables of a message to the runner, before the stored ones and as far as the pipeline allows', async () => {
    const used = await set({ says: [text('Yes')], rounds: 3 });
    const turn = (role: 'user' | 'assistant', said: string) => ({
      role,
      text: said,
      message_chain: [{ type: 'Plain' as const, text: said }],
    });
    const history = ['one', 'two', 'three'].flatMap((said) => [turn('user', said), turn('assistant', `${said}!`)]);
    await process(used, await used.received('stored'));
    const key = conversationKey({ bot_uuid: used.botUuid, pipeline_uuid: used.pipelineUuid });
    await used.ledger.messages.accept(key, messageEvent('now', { context: { history, instructions: 'Be brief' } }));
    await process(used, (await claimOne(used.ledger.messages, [])) ?? undefined);
    expect(used.requests[1]).toMatchObject({
      instructions: 'Be brief',
      variables: { instructions: 'Be brief' },
      history: [...history.slice(2), { text: 'stored' }, { text: 'Yes' }],
    });
    expect(used.requests[0]).not.toHaveProperty('instructions');
    expect(used.requests[0]?.variables).not.toHaveProperty('instructions');
  });

  it('streams the answer, delivers it completely and stores it', async () => {
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

  it('records retrievals and citations, and sends the text below the answer', async () => {
    const retrieval = retrievalRecord();
    const used = await set({
      says: [
        { type: 'retrieval', retrieval },
        text('At five [1].'),
        { type: 'appendix', text: '[1] handbook.pdf, p. 3' },
        { type: 'citations', report: citationReport() },
      ],
    });
    const { question, answer } = await process(used);
    expect(answer).toMatchObject({
      text: 'At five [1].',
      message_chain: [{ type: 'Plain', text: 'At five [1].\n\n[1] handbook.pdf, p. 3' }],
    });
    const story = await new KyselyMessageReader(used.storage.database).story(question?.uuid ?? '');
    expect(story?.retrievals).toEqual([{ ...retrieval, uuid: expect.any(String) }]);
    expect(story?.citations).toEqual(citationReport());
    expect(story?.trace?.gates.find(({ name }) => name === 'runner')?.details).toMatchObject({
      knowledge: { asked: 2, found: 2, cited: 1, dropped: 1 },
    });
  });

  it('stores retrievals when the answer fails', async () => {
    const used = await set({
      says: [{ type: 'retrieval', retrieval: retrievalRecord() }, new ParleyError('provider_failed', 'No')],
    });
    const { question } = await process(used);
    const story = await new KyselyMessageReader(used.storage.database).story(question?.uuid ?? '');
    expect([story?.retrievals.length, story?.citations]).toEqual([1, null]);
  });

  it('sends the answer in one message where edits are unsupported', async () => {
    const used = await set({ says: [text('Hel'), text('lo')], platform: recordingPlatform({ streams: {} }) });
    const { shown } = await process(used);
    expect(shown).toEqual(['=Hello']);
    expect(used.platform.sent[0]).toMatchObject({ sequence: 2, target: { session_type: 'person', session_id: 'ada' } });
    expect(used.platform.sent[0]?.idempotency_token).toBe(used.platform.sent[0]?.uuid);
  });

  it('ai.local-agent.max-round: passes its configuration and the history to the runner', async () => {
    const used = await set({ says: [text('Answer')], rounds: 2 });
    for (const question of ['one', 'two', 'three', 'four']) await process(used, await used.received(question));
    expect(used.requests.at(-1)?.config).toMatchObject({ 'max-tool-steps': 8, citations: 'list' });
    expect(used.requests.at(-1)?.history).toMatchObject([
      { role: 'user', text: 'two' },
      { role: 'assistant', text: 'Answer' },
      { role: 'user', text: 'three' },
      { role: 'assistant', text: 'Answer' },
    ]);
  });

  it.each([
    ['is shown', {}, [thought('Hm'), thought('.'), text('Yes')], '<think>\nHm.\n</think>\n\nYes'],
    ['is removed', { 'remove-think': true }, [thought('Hm'), text('Yes')], 'Yes'],
    ['follows text', {}, [text('Well'), thought('Hm'), text('Yes')], 'Well<think>\nHm\n</think>\n\nYes'],
    ['is all there is', {}, [thought('Hm')], '<think>\nHm\n</think>\n\n'],
    [
      'is cut by a failure',
      {},
      [thought('Hm'), new ParleyError('provider_failed', 'no')],
      '<think>\nHm\n</think>\n\n\n\nRequest failed.',
    ],
  ])('separates thoughts when the text %s', async (_, misc, says, expected) => {
    const { answer } = await process(await set({ says, misc, stages: [removeThink] }));
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
      'no internals of an unexpected error',
      { 'exception-handling': 'show-error' },
      new Error('password is hunter2'),
      'An unexpected fault',
      'internal',
    ],
    ['nothing', { 'exception-handling': 'hide' }, new ParleyError('quota', 'Used up'), undefined, 'quota'],
  ])('output.misc.exception-handling, output.misc.failure-hint: says %s', async (_, misc, failure, shown, reason) => {
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
  ])('preserves the text before a failure with %s', async (handling, expected) => {
    const says = [text('Well,'), new ParleyError('provider_failed', 'It is down')];
    const used = await set({ says, misc: { 'exception-handling': handling } });
    const { question, answer, shown } = await process(used);
    expect(shown).toEqual(['+Well,', `=${expected}`]);
    expect(answer).toMatchObject({ text: expected, state: 'failed' });
    expect(question).toMatchObject({ state: 'failed', reason: 'provider_failed' });
    const { sequence } = await used.received('next');
    expect(await used.ledger.history.before(question?.conversation_uuid as string, sequence, 10)).toEqual([]);
  });

  it('ends without an answer when the runner returns nothing', async () => {
    const { question, answer, delivery, shown } = await process(await set({ says: [] }));
    expect(question).toMatchObject({ state: 'answered', reason: 'answered' });
    expect([answer, delivery, shown]).toEqual([undefined, undefined, []]);
  });

  it('ai.runner.runner: says that the runner is not installed', async () => {
    const used = await set({ runner: 'missing', misc: { 'exception-handling': 'show-error' } });
    const { question, answer } = await process(used);
    expect(question).toMatchObject({ state: 'failed', reason: 'runner_not_found' });
    expect(answer?.text).toContain('missing');
  });

  it('stops without a pipeline, or when it was deleted', async () => {
    const used = await set({ says: [text('Hello')] });
    for (const pipeline_uuid of ['', newUuid()]) {
      const { question, answer } = await process(used, await used.received('Hello', { pipeline_uuid }));
      expect(question).toMatchObject({ state: 'stopped', reason: 'no_pipeline' });
      expect(answer).toBeUndefined();
    }
  });

  it.each<[string, string, (used: ProcessorFixture) => Promise<unknown>]>([
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
    expect(await claimOne(used.ledger.messages, used.runtime.heldBots())).toBeNull();
    expect(used.requests).toEqual([]);
  });

  it('makes a bot wait of which it hears for the first time', async () => {
    const used = await set({ says: [text('Hello')] });
    const bot_uuid = newUuid();
    const bot = await used.bots.storedByUuid(used.botUuid);
    if (bot === null) throw new Error('no bot');
    const { use_pipeline_name: _, ...record } = bot;
    await used.bots.create({ ...record, uuid: bot_uuid, adapter: 'of a plugin that was removed' });
    const { question } = await process(used, await used.received('Hello', { bot_uuid }));
    expect(question).toMatchObject({ state: 'received' });
    expect(used.runtime.heldBots()).toEqual([bot_uuid]);
  });

  it.each<[string, Error, string, string]>([
    ['with the reason of the platform', new ParleyError('window_closed', 'Too late'), 'window_closed', 'Too late'],
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

  it.each(['begin', 'update'] as const)('delivers the full answer although streaming failed at %s', async (failing) => {
    const used = await set({ says: [text('Hel'), text('lo')] });
    used.platform.refuse = (kind) => {
      if (kind === failing) throw new ParleyError('platform_failed', 'not now');
    };
    const { question, delivery, shown } = await process(used);
    expect(shown).toEqual(['=Hello']);
    expect(question).toMatchObject({ state: 'answered' });
    expect(delivery).toMatchObject({ state: 'sent' });
  });

  it('releases the message on a stop, and resumes the same answer', async () => {
    const controller = new AbortController();
    const reason = new Error('stopping');
    const used = await set({ says: [text('Hel'), text('lo')] });
    const message = await used.received('Hello');
    used.platform.refuse = () => controller.abort(reason);
    await expect(used.processor.process(message, controller.signal)).rejects.toBe(reason);
    await used.ledger.messages.release(message, null);
    const again = await claimOne(used.ledger.messages, []);
    expect(again).toMatchObject({ uuid: message.uuid, attempts: 2 });
    used.platform.refuse = () => undefined;
    const { answer, question } = await process(used, again as typeof message);
    expect(question).toMatchObject({ state: 'answered' });
    expect(answer).toMatchObject({ sequence: 2, text: 'Hello' });
    expect(await used.ledger.history.shown(message.conversation_uuid, 10)).toHaveLength(2);
  });
});
