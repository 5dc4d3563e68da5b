import type { PipelineMessage } from '@parley/sdk';
import { type FakeStageContext, fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimit } from './index.ts';

const minute = Date.parse('2026-01-01T00:00:00.000Z');

type Limit = { 'window-length'?: number; limitation?: number; strategy?: 'drop' | 'wait' };

/** One installation: counts persist between messages. */
function installation(limit: Limit) {
  const counts: FakeStageContext['counts'] = new Map();
  return async (now: number, message: PipelineMessage = pipelineMessage()) =>
    rateLimit.check?.(
      message,
      fakeStageContext(rateLimit, { config: { safety: { 'rate-limit': limit } }, now }, counts),
    );
}

const full = { countEvent: async (_key: string, _start: number, limit: number) => limit + 1 };

stageContract({
  stage: rateLimit,
  contexts: [{}, full, { ...full, config: { safety: { 'rate-limit': { strategy: 'wait' } } } }],
});

describe('the limit of messages', () => {
  it('safety.rate-limit.limitation: so many pass in a window', async () => {
    const look = installation({ limitation: 2 });
    expect(await look(minute)).toMatchObject({ outcome: 'pass', details: { count: 1 } });
    expect(await look(minute + 1)).toMatchObject({ outcome: 'pass', details: { count: 2 } });
    expect(await look(minute + 2)).toMatchObject({ outcome: 'stop', reason: 'rate_limited' });
  });

  it('safety.rate-limit.window-length: windows are fixed; with the next one, messages pass again', async () => {
    const look = installation({ limitation: 1, 'window-length': 10 });
    const outcomes: (string | undefined)[] = [];
    for (const second of [9, 9.999, 10, 19.999, 20]) outcomes.push((await look(minute + second * 1000))?.outcome);
    expect(outcomes).toEqual(['pass', 'stop', 'pass', 'stop', 'pass']);
  });

  it('safety.rate-limit.strategy: drop tells the sender how long to wait', async () => {
    const look = installation({ limitation: 1, strategy: 'drop' });
    await look(minute + 100);
    expect(await look(minute + 48_500)).toEqual({
      outcome: 'stop',
      reason: 'rate_limited',
      notice: 'Too many messages. Please wait 12 s.',
      details: { limitation: 1, until: '2026-01-01T00:01:00.000Z' },
    });
  });

  it('safety.rate-limit.strategy: wait processes the message again in the next window, where it passes', async () => {
    const look = installation({ limitation: 1, strategy: 'wait' });
    await look(minute);
    const result = await look(minute + 20_000);
    expect(result).toEqual({
      outcome: 'wait',
      until: '2026-01-01T00:01:00.000Z',
      reason: 'rate_limited',
      details: { limitation: 1 },
    });
    expect(await look(Date.parse('2026-01-01T00:01:00.000Z'))).toMatchObject({ outcome: 'pass' });
  });

  it('counts each session, bot and pipeline for itself, and all topics of a session together', async () => {
    const look = installation({ limitation: 1 });
    const others: Partial<PipelineMessage>[] = [
      {},
      { session_id: 'bob' },
      { session_type: 'group' },
      { bot_uuid: '00000000-0000-7000-8000-0000000000f1' },
      { pipeline_uuid: '00000000-0000-7000-8000-0000000000f2' },
    ];
    for (const other of others) expect(await look(minute, pipelineMessage(other))).toMatchObject({ outcome: 'pass' });
    const topic = pipelineMessage({ thread_id: '5', sender_id: 'bob', conversation_uuid: 'another' });
    expect(await look(minute, topic)).toMatchObject({ outcome: 'stop' });
  });

  it('sends each sender one notice in a window', async () => {
    const look = installation({ limitation: 1 });
    const noticeTo = async (second: number, sender_id: string) => {
      const group = { session_type: 'group', session_id: 'friends' } as const;
      const result = await look(minute + second * 1000, pipelineMessage({ ...group, sender_id }));
      return result?.outcome === 'stop' ? (result.notice ?? 'none') : result?.outcome;
    };
    expect(await noticeTo(0, 'ada')).toBe('pass');
    expect(await noticeTo(1, 'ada')).toBe('Too many messages. Please wait 59 s.');
    for (const second of [2, 3, 59]) expect(await noticeTo(second, 'ada')).toBe('none');
    expect(await noticeTo(10, 'bob')).toBe('Too many messages. Please wait 50 s.');
    expect(await noticeTo(11, 'bob')).toBe('none');
    expect(await noticeTo(60, 'bob')).toBe('pass');
    expect(await noticeTo(61, 'bob')).toBe('Too many messages. Please wait 59 s.');
  });

  it('names nothing of the message itself, so that messages are counted together', async () => {
    const keys = new Set<string>();
    for (const uuid of ['one', 'two']) {
      const countEvent = async (key: string) => keys.add(key).size;
      await rateLimit.check?.(
        pipelineMessage({ uuid, sequence: keys.size }),
        fakeStageContext(rateLimit, { countEvent }),
      );
    }
    expect(keys.size).toBe(1);
  });

  it('lets exactly as many pass in each window as it may, whenever they come', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 }), async (...run) => {
        const [offsets, limitation, seconds] = run;
        const look = installation({ limitation, 'window-length': seconds });
        const came = new Map<number, number>();
        const passed = new Map<number, number>();
        for (const offset of offsets.toSorted((left, right) => left - right)) {
          const window = Math.floor((minute + offset) / (seconds * 1000));
          came.set(window, (came.get(window) ?? 0) + 1);
          if ((await look(minute + offset))?.outcome === 'pass') passed.set(window, (passed.get(window) ?? 0) + 1);
        }
        for (const [window, count] of came) expect(passed.get(window)).toBe(Math.min(count, limitation));
      }),
    );
  });
});
