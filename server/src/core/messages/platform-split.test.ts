import { type MessageChain, ParleyError, type RunnerDelta, type Stage } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { type RecordingPlatform, recordingPlatform, streamsEvery } from '../../../test/stores/ledger-fixture.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed as process,
} from '../../../test/stores/processor-fixture.ts';

const text = (said: string): RunnerDelta => ({ type: 'text', text: said });
const plain = (said: string): MessageChain => [{ type: 'Plain', text: said }];

/** A platform that splits messages into their words. */
function splitting(split: (chain: MessageChain) => MessageChain[], streaming = false): RecordingPlatform {
  const platform = recordingPlatform({ streams: streaming ? streamsEvery(0) : {} });
  platform.implementation.split = split;
  return platform;
}
const words = (chain: MessageChain) =>
  chain.flatMap((element) =>
    element.type === 'Plain' ? element.text.split(' ').map((word) => plain(word)) : [[element]],
  );

describe('an answer on a platform that splits messages by itself', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (setting: ProcessorSetting) => {
    const fixture = await openProcessorFixture(setting);
    open.push(fixture);
    return fixture;
  };

  it('is stored in its parts before the first is sent, after all stages', async () => {
    const platform = splitting(words);
    const signed: Stage = {
      name: 'signed',
      label: { en_US: 'Signed' },
      answer: () => ({ finish: (messages) => ({ messages: [...messages, plain('the end')] }) }),
    };
    const used = await set({ says: [text('one two')], platform, stages: [signed] });
    const stored: number[] = [];
    platform.refuse = () => stored.push(-1);
    const { deliveries, gates, shown } = await process(used);
    expect(shown).toEqual(['=one', '=two', '=the', '=end']);
    expect(deliveries.map(({ piece, state }) => [piece, state])).toEqual([0, 1, 2, 3].map((piece) => [piece, 'sent']));
    expect(new Set(deliveries.map(({ created_at }) => created_at)).size).toBe(1);
    expect(gates.at(-1)).toMatchObject({ name: 'split', outcome: 'changed', reason: 'long_text' });
  });

  it('is split also when it is the notice of a failure', async () => {
    const used = await set({ says: [new ParleyError('provider_failed', 'No')], platform: splitting(words) });
    expect((await process(used)).shown).toEqual(['=Request', '=failed.']);
    const broken: Stage = {
      name: 'broken',
      label: { en_US: 'Broken' },
      answer: () => ({ finish: () => Promise.reject(new Error('x')) }),
    };
    const failing = await set({ says: [text('secret')], platform: splitting(words), stages: [broken] });
    expect((await process(failing)).shown).toEqual(['=Request', '=failed.']);
  });

  it.each<[string, (chain: MessageChain) => MessageChain[]]>([
    [
      'throws',
      () => {
        throw new Error('defect');
      },
    ],
    ['returns no message', () => []],
    ['returns an empty message', () => [[]]],
    ['returns something else', () => 'text' as never],
    ['returns later', (async () => []) as never],
  ])('is sent as it is when the split %s', async (_, split) => {
    const { question, shown, gates } = await process(
      await set({ says: [text('one two')], platform: splitting(split) }),
    );
    expect(shown).toEqual(['=one two']);
    expect(question).toMatchObject({ state: 'answered' });
    expect(gates.map(({ name }) => name)).toEqual(['runner']);
  });

  it('takes back nothing that is shown', async () => {
    const used = await set({ says: [text('one'), text(' two three')], platform: splitting(words, true) });
    expect((await process(used)).shown).toEqual(['+one', '+one two three', '=one two three']);
    const half = (chain: MessageChain) => [chain, plain('PS')];
    const longer = await set({ says: [text('one'), text(' two')], platform: splitting(half, true) });
    expect((await process(longer)).shown).toEqual(['+one', '+one two', '=one two', '=PS']);
  });
});
