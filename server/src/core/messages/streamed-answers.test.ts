import { DeliveryError, ParleyError, type RunnerDelta, type SendProgress, type Stage, textOfChain } from '@parley/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { recordingPlatform, streamsOf } from '../../../test/stores/ledger-fixture.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed as process,
} from '../../../test/stores/processor-fixture.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';
import { split } from '../../stages/split/index.ts';

const text = (said: string): RunnerDelta => ({ type: 'text', text: said });
const refused = new DeliveryError('refused', 'platform_failed', 'It cannot be edited');
const unreachable = new DeliveryError('not_sent', 'platform_failed', 'No connection');

/** Changes the finished answer to one text, or to nothing. */
const ending = (said: string | null): Stage => ({
  name: 'ending',
  label: { en_US: 'Ending' },
  answer: () => ({ finish: () => ({ messages: said === null ? [] : [[{ type: 'Plain', text: said }]] }) }),
});

const open: ProcessorFixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});
const set = async (setting: ProcessorSetting) => {
  const fixture = await openProcessorFixture({ says: [text('Hel'), text('lo')], ...setting });
  open.push(fixture);
  return fixture;
};
const appending = () => recordingPlatform({ streams: streamsOf('append') });

describe('an answer on a platform that only adds to what it shows', () => {
  it('is shown while it grows, and completed', async () => {
    const { shown, question } = await process(await set({ platform: appending() }));
    expect(shown).toEqual(['+Hel', '+Hello', '=Hello']);
    expect(question).toMatchObject({ state: 'answered' });
  });

  it('does not show what would change the text before it', async () => {
    const masked: Stage = {
      name: 'masked',
      label: { en_US: 'Masked' },
      answer: () => ({
        show: ([element]) => [{ type: 'Plain', text: (element as { text: string }).text.replace('two', '***') }],
      }),
    };
    const says = [text('one tw'), text('o three'), text(' four')];
    const { shown } = await process(await set({ platform: appending(), says, stages: [masked] }));
    expect(shown).toEqual(['+one tw', '=one two three four']);
  });

  it('is a message of its own where it changed at its end, with another token', async () => {
    const used = await set({ platform: appending(), stages: [ending('Something else')] });
    const { shown, question, answer, deliveries, gates } = await process(used);
    expect(shown).toEqual(['+Hel', '+Hello', '!partial_remains', '=Something else']);
    expect(question).toMatchObject({ state: 'answered' });
    expect(gates).toContainEqual(expect.objectContaining({ name: 'stream', reason: 'partial_remains' }));
    const [sent] = used.platform.sent;
    expect(sent?.idempotency_token).toBe(deliveries[0]?.idempotency_token);
    expect(sent?.idempotency_token).not.toBe(answer?.uuid);
  });

  it('ends where it stands when nothing of it may be sent', async () => {
    const failing: Stage = {
      name: 'failing',
      label: { en_US: 'Failing' },
      answer: () => ({ finish: () => Promise.reject(new Error('x')) }),
    };
    const misc = { 'exception-handling': 'hide' };
    const { shown, question, answer, gates } = await process(
      await set({ platform: appending(), stages: [failing], misc }),
    );
    expect(shown).toEqual(['+Hel', '+Hello', '!stage_failed']);
    expect(question).toMatchObject({ state: 'failed', reason: 'stage_failed' });
    expect(answer).toBeUndefined();
    expect(gates).toContainEqual(expect.objectContaining({ name: 'stream', reason: 'partial_remains' }));
    expect((await process(await set({ platform: appending(), stages: [ending(null)] }))).shown).toEqual([
      '+Hel',
      '+Hello',
      '!partial_remains',
    ]);
  });

  it('is not continued by another process, which replaces it by a handle', async () => {
    const platform = appending();
    const { create } = platform.implementation;
    const handles: unknown[] = [];
    platform.implementation.create = (config, context) => {
      const adapter = create(config, context);
      return {
        ...adapter,
        send: async (message, progress) => {
          handles.push(progress?.handle);
          return adapter.send(message, progress);
        },
        stream: async (message, progress) => {
          await progress?.store({ id: 7 });
          const stream = await adapter.stream?.(message, progress);
          if (stream === undefined) throw new ParleyError('internal', 'It streams');
          return stream;
        },
      };
    };
    const stopping = new AbortController();
    const before = () => {
      if (platform.shown.length === 1) stopping.abort(new Error('the service stops'));
    };
    const used = await set({ platform, before });
    const message = await used.received('Hello');
    await expect(used.processor.process(message, stopping.signal)).rejects.toThrow('the service stops');
    // It stays open, for the next process.
    expect(platform.shown).toEqual(['+Hel']);
    await afterDeath(used.storage, used.ledger.messages);
    platform.shown.length = 0;
    const { question } = await process(used, (await claimOne(used.ledger.messages, [])) ?? undefined);
    expect(platform.shown).toEqual(['=Hello']);
    expect(handles).toEqual([{ id: 7 }]);
    expect(question).toMatchObject({ state: 'answered' });
  });

  it('is not sent a second time when the process ended while it was a message of its own', async () => {
    const platform = appending();
    const used = await set({ platform, stages: [ending('Something else')] });
    const settle = used.ledger.messages.settle.bind(used.ledger.messages);
    used.ledger.messages.settle = () => Promise.reject(new Error('the process ended'));
    await expect(process(used)).rejects.toThrow('the process ended');
    used.ledger.messages.settle = settle;
    await afterDeath(used.storage, used.ledger.messages);
    const { question, delivery } = await process(used, (await claimOne(used.ledger.messages, [])) ?? undefined);
    expect(platform.sent).toHaveLength(1);
    expect(delivery).toMatchObject({ state: 'uncertain', reason: 'interrupted' });
    expect(question).toMatchObject({ state: 'uncertain' });
  });
});

describe('the limits of a platform', () => {
  it('are those of edits for the message that is shown, and of messages for the others', async () => {
    const platform = recordingPlatform({ text_limit: { most: 30, unit: 'bytes', most_in_edit: 16 } });
    const words = 'one two three four five six seven eight nine ten';
    const streamed = await process(await set({ platform, stages: [split], says: [text(words)] }));
    expect(streamed.shown).toEqual(['+one two three', '=one two three', '=four five six seven eight nine', '=ten']);
    const plain = recordingPlatform({ streams: {}, text_limit: { most: 30, unit: 'bytes', most_in_edit: 16 } });
    const whole = await process(await set({ platform: plain, stages: [split], says: [text(words)] }));
    expect(whole.shown).toEqual(['=one two three four five six', '=seven eight nine ten']);
  });

  it('include a budget of updates that all answers of a bot share', async () => {
    const person = { mode: 'replace', interval_ms: 0, budget: { updates: 3, period_ms: 60_000 } } as const;
    const used = await set({ platform: recordingPlatform({ streams: { person } }) });
    expect((await process(used)).shown).toEqual(['+Hel', '+Hello', '=Hello']);
    used.platform.shown.length = 0;
    const other = await used.received('Hello', { session_id: 'grace' });
    expect((await process(used, other)).shown).toEqual(['=Hello']);
  });
});

describe('an answer whose edit is refused', () => {
  /** A platform that refuses edits after the first text. */
  const set_ = async (isFinishRefused: boolean) => {
    const used = await set({ says: [text('Hel'), text('lo'), text(' you')] });
    const { platform } = used;
    const calls: string[] = [];
    platform.refuse = (kind) => {
      calls.push(kind);
      const isRefused = kind === 'update' || (kind === 'finish' && isFinishRefused);
      if (isRefused && platform.shown.length > 0) throw refused;
    };
    return { used, calls };
  };

  it('is not edited again before it is complete', async () => {
    const { used, calls } = await set_(false);
    const { shown, question } = await process(used);
    expect(calls).toEqual(['begin', 'update', 'update', 'finish']);
    expect(shown).toEqual(['+Hel', '=Hello you']);
    expect(question).toMatchObject({ state: 'answered' });
  });

  it('is sent as a message where it cannot be completed either', async () => {
    const { used, calls } = await set_(true);
    const { shown, question, delivery } = await process(used);
    expect(calls).toEqual(['begin', 'update', 'update', 'finish', 'send']);
    expect(shown).toEqual(['+Hel', '!partial_remains', '=Hello you']);
    expect(question).toMatchObject({ state: 'answered' });
    expect(delivery).toMatchObject({ state: 'sent' });
  });
});

it('an answer that its user stopped is not sent again', async () => {
  const used = await set({ says: [text('Hel'), text('lo'), text(' you')] });
  const stopped = new DeliveryError('refused', 'cancelled', 'The user stopped the answer');
  used.platform.refuse = (kind) => {
    if (kind !== 'begin' && used.platform.shown.length > 0) throw stopped;
  };
  const { shown, question, delivery } = await process(used);
  expect(shown).toEqual(['+Hel', '!cancelled']);
  expect(question).toMatchObject({ state: 'failed', reason: 'cancelled' });
  expect(delivery).toMatchObject({ state: 'failed', reason: 'cancelled' });
});

describe('a stream that does not complete its answer', () => {
  it.each([
    ['refuses the finished text', refused, ['+Hel', '+Hello', '!platform_failed'], 'failed'],
    [
      'cannot be reached, without a way to find the message again',
      unreachable,
      ['+Hel', '+Hello', '!platform_failed'],
      'received',
    ],
    [
      'may have taken the finished text',
      new DeliveryError('unknown', 'platform_failed', 'No answer'),
      ['+Hel', '+Hello'],
      'uncertain',
    ],
  ])('is abandoned where the platform %s', async (_, failure, expected, state) => {
    const used = await set({});
    used.platform.refuse = (kind) => {
      if (kind === 'finish') throw failure;
    };
    const { shown, question } = await process(used);
    expect(shown).toEqual(expected);
    expect(question).toMatchObject({ state });
  });

  it('is left to a later attempt that can find the message', async () => {
    const platform = recordingPlatform();
    const { create } = platform.implementation;
    platform.implementation.create = (config, context) => {
      const adapter = create(config, context);
      return {
        ...adapter,
        stream: async (message, progress?: SendProgress) => {
          await progress?.store({ id: 7 });
          return (await adapter.stream?.(message, progress)) as never;
        },
      };
    };
    const used = await set({ platform });
    platform.refuse = (kind) => {
      if (kind === 'finish') throw unreachable;
    };
    expect((await process(used)).shown).toEqual(['+Hel', '+Hello']);
  });

  it('is abandoned when its answer expired or sending is paused', async () => {
    const late = await set({ expiryMs: 0 });
    expect((await process(late)).shown).toEqual(['+Hel', '+Hello', '!expired']);
    const used: ProcessorFixture = await set({
      stages: [
        {
          name: 'paused',
          label: { en_US: 'Paused' },
          answer: () => ({
            finish: (messages) => {
              const limit = { pauseMs: 60_000, scope: 'chat' } as const;
              const failure = new DeliveryError('not_sent', 'quota', 'Too many', { rateLimit: limit });
              used.holds.report(used.botUuid, { session_type: 'person', session_id: 'ada' }, failure);
              return { messages };
            },
          }),
        },
      ],
    });
    const { shown, question } = await process(used);
    expect(shown).toEqual(['+Hel', '+Hello', '!quota']);
    expect(question).toMatchObject({ state: 'received', reason: 'quota' });
  });
});

describe("a user's stop", () => {
  it.each(['replace', 'append', 'pull'] as const)('ends a stream readably: %s', async (mode) => {
    let said = 0;
    const used: ProcessorFixture = await set({
      says: [text('Hel'), text('lo'), text(' you')],
      platform: recordingPlatform({ streams: streamsOf(mode) }),
      before: () => {
        said += 1;
        if (said === 3) used.running.cancel(message.conversation_uuid, 'cancelled');
      },
    });
    const message = await used.received('Hello');
    const { question, answer, shown } = await process(used, message);
    expect(shown).toEqual(['+Hel', '+Hello', '=Hello']);
    expect(question).toMatchObject({ state: 'stopped', reason: 'answer_stopped' });
    expect(answer).toMatchObject({ state: 'finished', text: 'Hello' });
    expect(textOfChain(answer?.message_chain ?? [])).toBe('Hello');
  });

  it.each<[string, RunnerDelta[], number, string[]]>([
    ['before anything is shown', [text('Hel')], 1, []],
    [
      'while only thoughts are shown',
      [
        { type: 'reasoning', text: 'Hm' },
        { type: 'reasoning', text: ', well' },
      ],
      2,
      ['+<think>\nHm', '=<think>\nHm\n</think>\n\n'],
    ],
  ])('leaves nothing to remember %s', async (_, says, stopAt, expected) => {
    let said = 0;
    const used: ProcessorFixture = await set({
      says,
      before: () => {
        said += 1;
        if (said === stopAt) used.running.cancel(message.conversation_uuid, 'cancelled');
      },
    });
    const message = await used.received('Hello');
    const { question, answer, shown } = await process(used, message);
    expect(shown).toEqual(expected);
    expect(question).toMatchObject({ state: 'stopped', reason: 'cancelled' });
    expect(answer?.state).not.toBe('finished');
    const { sequence } = await used.received('again');
    expect(await used.ledger.history.before(message.conversation_uuid, sequence, 10)).toEqual([]);
  });

  it('is remembered after a crash before the end was stored', async () => {
    let said = 0;
    const used: ProcessorFixture = await set({
      says: [text('Hel'), text('lo')],
      before: () => {
        said += 1;
        if (said === 2) used.running.cancel(message.conversation_uuid, 'cancelled');
      },
    });
    const message = await used.received('Hello');
    const { settle } = used.ledger.messages;
    used.ledger.messages.settle = () => new Promise(() => {});
    void used.processor.process(message, new AbortController().signal);
    await vi.waitFor(async () =>
      expect(await used.ledger.deliveries.answerTo(message.uuid)).toMatchObject({ message: { state: 'finished' } }),
    );
    used.ledger.messages.settle = settle;
    await afterDeath(used.storage, used.ledger.messages);
    const again = await claimOne(used.ledger.messages, []);
    if (again === null) throw new Error('nothing was recovered');
    const { question } = await process(used, again);
    expect(question).toMatchObject({ uuid: message.uuid, state: 'stopped', reason: 'answer_stopped' });
    const { sequence } = await used.received('again');
    const history = await used.ledger.history.before(message.conversation_uuid, sequence, 10);
    expect(history.map((turn) => turn.text)).toEqual(['Hello', 'Hel']);
    expect(said).toBe(2);
  });
});
