import type { MessageFacts, RunnerDelta, Stage } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { recordingPlatform, streamsEvery } from '../../../test/stores/ledger-fixture.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { partOf } from '../../../test/stores/ledger-steps.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed as process,
} from '../../../test/stores/processor-fixture.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';

const text = (piece: string): RunnerDelta => ({ type: 'text', text: piece });

describe('a message', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (setting: ProcessorSetting) => {
    const fixture = await openProcessorFixture(setting);
    open.push(fixture);
    return fixture;
  };
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

    it('sends nothing when a stage stops it silently', async () => {
      const drop = stage('drop', { check: () => ({ outcome: 'stop', reason: 'ignored' }) });
      const used = await set({ stages: [drop] });
      const { question, answer, gates } = await process(used);
      expect(question).toMatchObject({ state: 'stopped', reason: 'ignored' });
      expect(answer).toBeUndefined();
      expect(gates).toMatchObject([{ name: 'drop', outcome: 'stopped' }]);
      expect(used.published).toEqual(['inbound stopped ignored']);
    });

    it('brings them what its platform said about mentions', async () => {
      const facts: MessageFacts[] = [];
      const look = stage('look', {
        check: (message) => {
          facts.push(message.facts);
          return { outcome: 'pass' };
        },
      });
      const used = await set({ says: [text('Hello')], stages: [look] });
      await process(used, await used.received('Hi', {}, { facts: { bot_mentions: ['role', 'reply'] } }));
      expect(facts).toEqual([{ bot_mentions: ['role', 'reply'] }]);
    });

    it('waits where one says so, and is handed out again when it is time', async () => {
      const until = new Date(Date.now() + 60_000).toISOString();
      const hold = stage('hold', { check: () => ({ outcome: 'wait', until, reason: 'aggregating' }) });
      const used = await set({ says: [text('Hello')], stages: [hold] });
      const { question } = await process(used);
      expect(question).toMatchObject({ state: 'received', reason: 'aggregating' });
      expect(used.published).toEqual(['inbound received aggregating']);
      expect(await claimOne(used.ledger.messages, [])).toBeNull();
      expect(await used.ledger.messages.nextDue()).toBe(Date.parse(until));
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
      await used.ledger.messages.accept(conversationKey(key), messageEvent(' two'));
      const { question, answer } = await process(used, first);
      expect(used.requests[0]?.text).toBe('one two');
      expect(question).toMatchObject({ state: 'answered' });
      expect(answer).toMatchObject({ text: 'Both' });
      const [merged] = (await used.ledger.history.shown(first.conversation_uuid, 10)).filter(
        ({ merged_into }) => merged_into !== null,
      );
      expect(merged).toMatchObject({ state: 'stopped', reason: 'merged', merged_into: first.uuid, text: ' two' });
      expect(used.published).toEqual(['inbound stopped merged', 'outbound sent null', 'inbound answered answered']);
      expect(await claimOne(used.ledger.messages, [])).toBeNull();
    });

    it('is answered with the output of the stages, each message delivered', async () => {
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

    it('shows nothing before the end when a stage needs the full text', async () => {
      const fullText = stage('fullText', { answer: () => ({ needsWholeText: true }) });
      const { shown } = await process(await set({ says: [text('Hel'), text('lo')], stages: [fullText] }));
      expect(shown).toEqual(['=Hello']);
    });

    it('sends nothing of an answer that a stage fails on', async () => {
      const broken = stage('broken', { answer: () => ({ finish: () => Promise.reject(new Error('x')) }) });
      const used = await set({
        says: [text('secret')],
        stages: [broken],
        platform: recordingPlatform({ streams: {} }),
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

    it('waits before it is answered for the delay of a stage', async () => {
      const pause = stage('pause', { answer: () => ({ delayMs: 50 }) });
      const used = await set({ says: [text('Hello')], stages: [pause] });
      const started = performance.now();
      const { gates, shown } = await process(used);
      expect(performance.now() - started).toBeGreaterThanOrEqual(45);
      expect(shown).toEqual(['=Hello']);
      expect(gates.at(-1)).toMatchObject({ outcome: 'changed', reason: 'delayed' });
    });
  });

  it('passes the original text to the runner when the stages remove all of it', async () => {
    const cut: Stage = {
      name: 'cut',
      label: { en_US: 'Cut' },
      check: () => ({ outcome: 'pass', message_chain: [] }),
    };
    const used = await set({ says: [text('Yes?')], stages: [cut] });
    await process(used, await used.received('@parrot'));
    expect(used.requests[0]?.text).toBe('@parrot');
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
      ['ends the streamed text where it is', true, ['+Hel', '=Hel'], 'answer_stopped'],
      ['sends nothing when nothing was shown', false, [], 'cancelled'],
    ])('%s', async (_, streaming, expected, reason) => {
      let said = 0;
      const used: ProcessorFixture = await set({
        says: [text('Hel'), text('lo')],
        platform: recordingPlatform({ streams: streaming ? streamsEvery(0) : {} }),
        before: () => {
          said += 1;
          if (said === 2) used.running.cancel(message.conversation_uuid, 'cancelled');
        },
      });
      const message = await used.received('Hello');
      const { question, answer, shown } = await process(used, message);
      expect(question).toMatchObject({ state: 'stopped', reason });
      expect(shown).toEqual(expected);
      expect(answer?.state).toBe(streaming ? 'finished' : undefined);
    });
  });

  describe('after a crash', () => {
    const crashed = async (idempotent_sends: boolean, state: 'sending' | 'pending') => {
      const used = await set({
        says: [text('Again')],
        platform: recordingPlatform({ streams: {}, idempotent_sends }),
      });
      const message = await used.received('Hello');
      const pieces = ['one', 'two'].map((piece) => [{ type: 'Plain', text: piece } as const]);
      const outcome = { state: 'answered', reason: 'answered' } as const;
      const answer = { pieces, text: 'one two', state: 'finished', outcome, merged: [] } as const;
      const record = { trace: { attempt: 1, gates: [] }, model_calls: [] };
      const stored = await used.ledger.deliveries.finishAnswer(message, { ...answer, pieces }, record);
      const sent = { state: 'sent', reason: null, error: null, platform_message_id: '1' } as const;
      if (state === 'pending')
        await used.ledger.deliveries.settleDelivery(partOf(stored.message.uuid, 0, message), sent);
      await afterDeath(used.storage, used.ledger.messages);
      const again = await claimOne(used.ledger.messages, []);
      if (again === null) throw new Error('no message was waiting');
      return { used, again };
    };

    it('sends the rest of a complete answer, without a model call', async () => {
      const { used, again } = await crashed(true, 'pending');
      const { question, deliveries, shown } = await process(used, again);
      expect(question).toMatchObject({ state: 'answered', reason: 'answered', attempts: 2 });
      expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'sent']);
      expect(shown).toEqual(['=two']);
      expect(used.requests).toEqual([]);
    });

    it('resends a part in progress with the same token, where the platform drops repeats', async () => {
      const { used, again } = await crashed(true, 'sending');
      const { deliveries, shown } = await process(used, again);
      expect(shown).toEqual(['=one', '=two']);
      expect(used.platform.sent.map((message) => message.idempotency_token)).toEqual(
        deliveries.map((delivery) => delivery.idempotency_token),
      );
    });

    it('does not resend a part in progress elsewhere, and records it as uncertain', async () => {
      const { used, again } = await crashed(false, 'sending');
      const { question, deliveries, shown } = await process(used, again);
      expect(shown).toEqual(['=two']);
      expect(deliveries).toMatchObject([
        { state: 'uncertain', reason: 'interrupted' },
        { state: 'sent', reason: null },
      ]);
      expect(question).toMatchObject({ state: 'uncertain', reason: 'interrupted' });
    });
  });
});
