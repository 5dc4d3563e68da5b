import type { DeliveryTarget, PlatformAdapter, RunnerDelta, Stage } from '@parley/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordingPlatform, streamsEvery } from '../../../test/stores/ledger-fixture.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed,
} from '../../../test/stores/processor-fixture.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { Typing } from './typing.ts';

const target: DeliveryTarget = { session_type: 'person', session_id: 'ada', thread_id: '', pipeline_uuid: null };

describe('the indicator', () => {
  afterEach(() => void vi.useRealTimers());

  const begin = (showTyping: PlatformAdapter['showTyping'], maySend = () => true, typing_ms: number | null = 5000) => {
    vi.useFakeTimers();
    const typing = new Typing();
    const { capabilities } = recordingPlatform(typing_ms === null ? {} : { typing_ms });
    typing.begin({ adapter: { showTyping }, capabilities } as RunningBot, target, maySend);
    return typing;
  };

  it('is shown at once and renewed before it vanishes, until the end', async () => {
    const show = vi.fn(async () => undefined);
    const typing = begin(show);
    expect(show.mock.calls).toEqual([[target]]);
    await vi.advanceTimersByTimeAsync(9000);
    expect(show).toHaveBeenCalledTimes(3);
    typing.end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(show).toHaveBeenCalledTimes(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is given up after many times, when no answer comes', async () => {
    const show = vi.fn(async () => undefined);
    begin(show);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(show).toHaveBeenCalledTimes(20);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not shown again after a failure', async () => {
    const show = vi.fn(() => Promise.reject(new Error('no')));
    begin(show);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(show).toHaveBeenCalledTimes(1);
  });

  it('has one call under way at most', async () => {
    const show = vi.fn(() => new Promise<void>(() => {}));
    begin(show);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(show).toHaveBeenCalledTimes(1);
  });

  it('is not shown while nothing may be sent, and not more than once a second', async () => {
    let mayNow = false;
    const show = vi.fn(async () => undefined);
    begin(show, () => mayNow, 1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(show).not.toHaveBeenCalled();
    mayNow = true;
    await vi.advanceTimersByTimeAsync(2000);
    expect(show).toHaveBeenCalledTimes(2);
  });

  it('is not shown where the platform does not say for how long', async () => {
    const show = vi.fn(async () => undefined);
    begin(show, () => true, null);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(show).not.toHaveBeenCalled();
  });
});

describe('typing', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const says: RunnerDelta[] = [
    { type: 'text', text: 'Hello' },
    { type: 'text', text: ', Ada' },
  ];

  const set = async (setting: ProcessorSetting, showTyping: () => Promise<void> = async () => undefined) => {
    const platform = recordingPlatform({ typing_ms: 1000, streams: {}, ...setting.platform?.capabilities });
    const { create } = platform.implementation;
    const targets: DeliveryTarget[] = [];
    platform.implementation.create = (config, context) =>
      Object.assign(create(config, context), {
        showTyping: (to: DeliveryTarget) => {
          targets.push(to);
          return showTyping();
        },
      });
    const fixture = await openProcessorFixture({ says, ...setting, platform });
    open.push(fixture);
    return { fixture, targets };
  };

  it('is shown in the chat of a message, in its thread, while it is answered', async () => {
    const { fixture, targets } = await set({});
    const place = { session_type: 'group', session_id: 'friends', thread_id: '7' } as const;
    await processed(fixture, await fixture.received('Hi', place));
    expect(targets).toEqual([{ ...place, pipeline_uuid: fixture.pipelineUuid }]);
    expect(fixture.platform.shown).toEqual(['=Hello, Ada']);
  });

  it('is renewed until the answer is complete', async () => {
    let renewed: () => void;
    const waits = new Promise<void>((resolve) => {
      renewed = resolve;
    });
    const { fixture, targets } = await set({ before: () => waits }, async () => {
      if (targets.length === 2) renewed();
    });
    await processed(fixture);
    expect(targets).toHaveLength(2);
  });

  it('ends with the first text that is shown', async () => {
    const ends = vi.spyOn(Typing.prototype, 'end');
    const before: number[] = [];
    const platform = recordingPlatform({ streams: streamsEvery(0) });
    const { fixture } = await set({ platform, before: () => void before.push(ends.mock.calls.length) });
    await processed(fixture);
    // It ends an earlier one when it begins.
    expect(before).toEqual([1, 2]);
    expect(fixture.platform.shown).toEqual(['+Hello', '+Hello, Ada', '=Hello, Ada']);
  });

  it.each<[string, ProcessorSetting]>([
    ['that a rule stops', { stages: [{ name: 'stop', label: { en_US: 'Stop' }, check: () => stopped }] }],
    ['that is a command', { command: 'Hello' }],
  ])('is not shown for a message %s', async (_, setting) => {
    const { fixture, targets } = await set(setting);
    await processed(fixture);
    expect([targets, fixture.requests]).toEqual([[], []]);
  });

  it('delays and fails nothing', async () => {
    for (const showTyping of [() => Promise.reject(new Error('no')), () => new Promise<void>(() => {})]) {
      const { fixture, targets } = await set({}, showTyping);
      expect((await processed(fixture)).question).toMatchObject({ state: 'answered' });
      expect(targets).toHaveLength(1);
    }
  });
});

const stopped: Awaited<ReturnType<NonNullable<Stage['check']>>> = { outcome: 'stop', reason: 'ignored' };
