import { DeliveryError, longestReplyContext, type OutgoingMessage, ParleyError, type ReplyContext } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { type RecordingPlatform, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { openProcessorFixture, type ProcessorFixture, processed } from '../../../test/stores/processor-fixture.ts';
import { split } from '../../stages/split/index.ts';

type Capabilities = Parameters<typeof recordingPlatform>[0];
const value = { webhook: 'https://example.com/session/secret' };

describe('an answer on a platform with reply contexts', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });

  const platformWith = (capabilities: Capabilities = {}) =>
    recordingPlatform({ streams: {}, reply_context: true, ...capabilities });
  const set = async (platform: RecordingPlatform, says = 'one', stages = [split]) => {
    const fixture = await openProcessorFixture({ says: [{ type: 'text', text: says }], platform, stages });
    open.push(fixture);
    return fixture;
  };
  const answered = async (used: ProcessorFixture, context?: Partial<ReplyContext>) => {
    const event = context === undefined ? {} : { reply_context: { value, ...context } };
    return processed(used, await used.received('Hello', {}, event));
  };
  const contexts = ({ platform }: ProcessorFixture) => platform.sent.map(({ reply_to }) => reply_to?.context);

  it('is sent with that of its question', async () => {
    const used = await set(platformWith());
    expect((await answered(used, {})).question).toMatchObject({ state: 'answered' });
    expect(contexts(used)).toEqual([value]);
    const [row] = await used.storage.database.selectFrom('reply_contexts').selectAll().execute();
    expect(row?.sealed_value).not.toContain('secret');
  });

  it('is sent unsolicited when there is none', async () => {
    const used = await set(platformWith());
    expect((await answered(used)).question).toMatchObject({ state: 'answered' });
    expect(contexts(used)).toEqual([undefined]);
  });

  it.each(['any', 'known', 'window', 'quota'] as const)(
    'is sent unsolicited when it has expired (%s)',
    async (proactive) => {
      const used = await set(platformWith({ proactive }));
      const { question } = await answered(used, { expires_at: '2020-01-01T00:00:00Z' });
      expect(question).toMatchObject({ state: 'answered' });
      expect(contexts(used)).toEqual([undefined]);
    },
  );

  it('fails when it has expired where nothing can be sent unsolicited', async () => {
    const used = await set(platformWith({ proactive: 'none' }));
    const { question, delivery } = await answered(used, { expires_at: '2020-01-01T00:00:00Z' });
    expect(question).toMatchObject({ state: 'failed', reason: 'reply_expired' });
    expect(delivery).toMatchObject({ state: 'failed', reason: 'reply_expired' });
    expect(used.platform.sent).toEqual([]);
  });

  const long = `${'first '.repeat(10)}\n\n${'second '.repeat(10)}`;
  it.each([
    ['any', [value, undefined], { state: 'answered' }],
    ['none', [value], { state: 'failed', reason: 'reply_expired' }],
  ] as const)('of several parts uses it once for each, as often as it may (%s)', async (proactive, expected, end) => {
    const used = await set(platformWith({ proactive, text_limit: { most: 80, unit: 'utf16' } }), long);
    const { question, deliveries } = await answered(used, { uses: 1 });
    expect(deliveries).toHaveLength(2);
    expect(contexts(used)).toEqual(expected);
    expect(question).toMatchObject(end);
  });

  const failing = (failure: Error) => {
    const platform = platformWith({ proactive: 'none' });
    platform.refuse = () => {
      platform.refuse = () => undefined;
      throw failure;
    };
    return platform;
  };
  it('keeps the use of an attempt that did not reach the platform', async () => {
    const used = await set(failing(new DeliveryError('not_sent', 'platform_failed', 'No connection')));
    const first = await answered(used, { uses: 1 });
    expect(first.question).toMatchObject({ state: 'received' });
    const [row] = await used.storage.database.selectFrom('reply_contexts').selectAll().execute();
    expect(row?.uses_left).toBe(1);
  });

  it('loses the use of an attempt that may have reached the platform', async () => {
    const used = await set(failing(new DeliveryError('unknown', 'platform_failed', 'No response')));
    expect((await answered(used, { uses: 1 })).question).toMatchObject({ state: 'uncertain' });
    const [row] = await used.storage.database.selectFrom('reply_contexts').selectAll().execute();
    expect(row?.uses_left).toBe(0);
  });

  it('uses it once when it is streamed', async () => {
    const platform = recordingPlatform({ reply_context: true });
    const opened: (OutgoingMessage['reply_to'] | undefined)[] = [];
    const { create } = platform.implementation;
    platform.implementation.create = (config, context) => {
      const adapter = create(config, context);
      return {
        ...adapter,
        stream: async (message, progress) => {
          opened.push(message.reply_to);
          if (adapter.stream === undefined) throw new ParleyError('internal', 'It streams');
          return adapter.stream(message, progress);
        },
      };
    };
    const used = await set(platform);
    expect((await answered(used, { uses: 1 })).question).toMatchObject({ state: 'answered' });
    expect(opened).toMatchObject([{ context: value }]);
    expect(used.platform.shown).toEqual(['+one', '=one']);
  });

  it.each<[what: string, context: ReplyContext]>([
    ['larger than allowed', { value: 'x'.repeat(longestReplyContext) }],
    ['without a value', { value: undefined }],
    ['with an invalid time', { value, expires_at: 'soon' }],
    ['with an invalid number', { value, uses: 0.5 }],
  ])('does not depend on one %s, which is not stored', async (_, context) => {
    const used = await set(platformWith());
    expect((await answered(used, context)).question).toMatchObject({ state: 'answered' });
    expect(await used.storage.database.selectFrom('reply_contexts').selectAll().execute()).toEqual([]);
  });
});
