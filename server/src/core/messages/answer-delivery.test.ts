import { DeliveryError, type MessageChain, type RunnerDelta, type SendProgress, type Stage } from '@parley/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { type RecordingPlatform, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed,
} from '../../../test/stores/processor-fixture.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';
import { StorageError } from '../../lib/storage-error.ts';
import type { UncertainSends } from '../bots/bot.ts';

const text = (said: string): RunnerDelta => ({ type: 'text', text: said });
const limited = (pauseMs: number) =>
  new DeliveryError('not_sent', 'quota', 'Too many', { rateLimit: { pauseMs, scope: 'chat' } });
const unreachable = new DeliveryError('not_sent', 'platform_failed', 'No connection');
const unknown = new DeliveryError('unknown', 'platform_failed', 'No answer');
const refused = new DeliveryError('refused', 'unknown_target', 'No such user');
const lostEdit = new DeliveryError('unknown', 'platform_failed', 'No answer', { isRepeatable: true });

describe('delivering an answer', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (setting: ProcessorSetting = {}) => {
    const platform = setting.platform ?? recordingPlatform({ streams: {} });
    const fixture = await openProcessorFixture({ says: [text('one')], ...setting, platform });
    open.push(fixture);
    return fixture;
  };
  /** Splits the answer into words. */
  const words: Stage = {
    name: 'words',
    label: { en_US: 'Words' },
    answer: () => ({
      finish: (messages) => ({
        messages: messages.flatMap((chain) =>
          chain.flatMap((element) =>
            element.type === 'Plain'
              ? element.text.split(' ').map((word): MessageChain => [{ type: 'Plain', text: word }])
              : [],
          ),
        ),
      }),
    }),
  };
  const inParts = (setting: ProcessorSetting = {}) =>
    set({ ...setting, says: [text('one two three')], stages: [words] });
  /** Each send of a text fails so often, with these failures one after the other. */
  const failing = (platform: RecordingPlatform, failures: Record<string, Error[]>) => {
    const { create } = platform.implementation;
    platform.implementation.create = (config, context) => {
      const adapter = create(config, context);
      return {
        ...adapter,
        send: async (message, progress) => {
          const said = message.message_chain.map((element) => ('text' in element ? element.text : '')).join('');
          const failure = failures[said]?.shift();
          if (failure !== undefined) throw failure;
          return adapter.send(message, progress);
        },
      };
    };
    return platform;
  };
  const plainPlatform = (failures: Record<string, Error[]>) => failing(recordingPlatform({ streams: {} }), failures);
  const setUncertainSends = (used: ProcessorFixture, uncertain_sends: UncertainSends) =>
    used.bots.update(used.botUuid, () => ({ uncertain_sends }));
  /** Processes the message again as soon as it may be taken from the queue. */
  const again = async (used: ProcessorFixture) => {
    const message = await vi.waitFor(
      async () => {
        const claimed = await claimOne(used.ledger.messages, used.holds.heldBots());
        if (claimed === null) throw new Error('no message is due');
        return claimed;
      },
      { timeout: 5000, interval: 10 },
    );
    return processed(used, message);
  };

  it('waits for the end of a rate limit, and asks no model again', async () => {
    const used = await set({ platform: plainPlatform({ one: [limited(60)] }) });
    const first = await processed(used);
    expect(first.question).toMatchObject({ state: 'received', reason: 'quota' });
    expect(first.delivery).toMatchObject({ state: 'pending', reason: 'quota', error: 'Too many' });
    expect(await claimOne(used.ledger.messages, [])).toBeNull();
    const { question, delivery, shown } = await again(used);
    expect(shown).toEqual(['=one']);
    expect(question).toMatchObject({ state: 'answered', reason: 'answered' });
    expect(delivery).toMatchObject({ state: 'sent', reason: null, error: null });
    expect(used.requests).toHaveLength(1);
  });

  it('waits until the platform can be reached', async () => {
    const used = await set({ platform: plainPlatform({ one: [unreachable, unreachable] }) });
    expect((await processed(used)).question).toMatchObject({ state: 'received', reason: 'platform_failed' });
    expect((await again(used)).question).toMatchObject({ state: 'received' });
    expect((await again(used)).question).toMatchObject({ state: 'answered' });
    expect(used.platform.shown).toEqual(['=one']);
    expect(used.requests).toHaveLength(1);
  });

  it('calls no model for a chat that cannot be written to', async () => {
    const used = await set();
    const message = await used.received('Hello');
    used.holds.report(used.botUuid, message, limited(60));
    const { question } = await processed(used, message);
    expect(question).toMatchObject({ state: 'received', reason: 'quota' });
    expect(used.requests).toEqual([]);
    let later = await again(used);
    while (later.question?.state === 'received') later = await again(used);
    expect(later.question).toMatchObject({ state: 'answered' });
  });

  it('stores an answer that was completed while sending is paused, and sends it afterwards', async () => {
    const used: ProcessorFixture = await set({ before: () => used.holds.report(used.botUuid, ada, limited(60)) });
    const ada = { session_type: 'person', session_id: 'ada' };
    const { question, delivery, shown } = await processed(used);
    expect(shown).toEqual([]);
    expect(question).toMatchObject({ state: 'received', reason: 'quota' });
    expect(delivery).toMatchObject({ state: 'pending' });
    expect((await again(used)).shown).toEqual(['=one']);
    expect(used.requests).toHaveLength(1);
  });

  it('ends as failed when the platform does not take it in time', async () => {
    const platform = plainPlatform({ one: Array.from({ length: 100 }, () => limited(20)) });
    const used = await set({ platform, expiryMs: 50 });
    let { question, delivery } = await processed(used);
    while (question?.state === 'received') ({ question, delivery } = await again(used));
    expect(question).toMatchObject({ state: 'failed', reason: 'expired' });
    expect(delivery).toMatchObject({ state: 'failed', reason: 'expired' });
  });

  it.each<[string, Error, object, object]>([
    [
      'refused',
      refused,
      { state: 'failed', reason: 'unknown_target' },
      { state: 'failed', reason: 'unknown_target', error: 'No such user' },
    ],
    [
      'not answered',
      unknown,
      { state: 'uncertain', reason: 'uncertain' },
      { state: 'uncertain', reason: 'uncertain', error: 'No answer' },
    ],
    [
      'failed unexpectedly, without the inside of the error',
      new Error('secret'),
      { state: 'uncertain', reason: 'uncertain' },
      { state: 'uncertain', error: 'Sending failed unexpectedly' },
    ],
  ])('is not repeated when it was %s', async (_, failure, question, delivery) => {
    const used = await set({ platform: plainPlatform({ one: [failure] }) });
    const outcome = await processed(used);
    expect(outcome.question).toMatchObject(question);
    expect(outcome.delivery).toMatchObject(delivery);
    expect(outcome.shown).toEqual([]);
  });

  it('is repeated after an unknown result where the platform drops repeats', async () => {
    const platform = failing(recordingPlatform({ streams: {}, idempotent_sends: true }), { one: [unknown] });
    const used = await set({ platform });
    expect((await processed(used)).question).toMatchObject({ state: 'received' });
    expect((await again(used)).question).toMatchObject({ state: 'answered' });
  });

  it('continues after a part that may have arrived, when the platform responds again', async () => {
    const used = await inParts({ platform: plainPlatform({ two: [unknown] }) });
    const first = await processed(used);
    expect(first.deliveries.map(({ state }) => state)).toEqual(['sent', 'uncertain', 'pending']);
    expect(first.question).toMatchObject({ state: 'received' });
    const { question, deliveries, shown } = await again(used);
    expect(shown).toEqual(['=one', '=three']);
    expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'uncertain', 'sent']);
    expect(question).toMatchObject({ state: 'uncertain', reason: 'uncertain' });
  });

  it('stops behind a part that may have arrived where the bot is set to', async () => {
    const used = await inParts({ platform: plainPlatform({ two: [unknown] }) });
    await setUncertainSends(used, 'stop');
    const { question, deliveries, shown } = await processed(used);
    expect(shown).toEqual(['=one']);
    expect(deliveries).toMatchObject([
      { state: 'sent' },
      { state: 'uncertain', reason: 'uncertain' },
      { state: 'failed', reason: 'delivery_stopped' },
    ]);
    expect(question).toMatchObject({ state: 'uncertain', reason: 'uncertain' });
  });

  it('repeats a part that may have arrived where the bot is set to', async () => {
    const used = await inParts({ platform: plainPlatform({ two: [unknown, unknown] }) });
    await setUncertainSends(used, 'repeat');
    await processed(used);
    await again(used);
    const { question, deliveries, shown } = await again(used);
    expect(shown).toEqual(['=one', '=two', '=three']);
    expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(question).toMatchObject({ state: 'answered' });
  });

  it('is completed by a retry, without the parts that were delivered', async () => {
    const used = await inParts({ platform: plainPlatform({ one: [unknown], three: [refused] }) });
    const first = await processed(used);
    let { question, deliveries } = first;
    while (question?.state === 'received') ({ question, deliveries } = await again(used));
    expect(deliveries.map(({ state }) => state)).toEqual(['uncertain', 'sent', 'failed']);
    const answer = await used.ledger.deliveries.deliveredMessage(question?.uuid ?? '');
    if (answer === null) throw new Error('no answer');
    expect(await used.ledger.deliveries.reopenDelivery(answer, 1, '2099-01-01T00:00:00.000Z')).toEqual({
      state: 'delivered',
    });
    expect(await used.ledger.deliveries.reopenDelivery(answer, 0, '2099-01-01T00:00:00.000Z')).toEqual({
      state: 'pending',
    });
    expect(await used.ledger.deliveries.reopenDelivery(answer, 2, '2099-01-01T00:00:00.000Z')).toEqual({
      state: 'in_progress',
    });
    ({ question, deliveries } = await again(used));
    expect(used.platform.shown).toEqual(['=two', '=one', '=three']);
    expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(question).toMatchObject({ state: 'answered', reason: 'answered' });
  });

  it('sends the parts behind the first at the pace of the platform', async () => {
    const platform = plainPlatform({});
    const { create } = platform.implementation;
    const turns: string[] = [];
    platform.implementation.create = (config, context) => ({
      ...create(config, context),
      awaitTurn: async ({ session_id }) => {
        const states = (await used.storage.database.selectFrom('deliveries').select('state').execute()).map(
          ({ state }) => state,
        );
        turns.push(`${session_id}: ${states.join(' ')}`);
      },
    });
    const used: ProcessorFixture = await inParts({ platform });
    const { question, shown } = await processed(used);
    // A waiting part does not appear to be in progress.
    expect(turns).toEqual(['ada: sent pending pending', 'ada: sent sent pending']);
    expect(shown).toEqual(['=one', '=two', '=three']);
    expect(question).toMatchObject({ state: 'answered' });
  });

  it('ends behind a part that was refused', async () => {
    const used = await inParts({ platform: plainPlatform({ two: [refused] }) });
    const { question, deliveries, shown } = await processed(used);
    expect(shown).toEqual(['=one']);
    expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'failed', 'failed']);
    expect(question).toMatchObject({ state: 'failed', reason: 'unknown_target' });
    // Of the parts, only the last one.
    expect(used.published).toEqual(['outbound failed unknown_target', 'inbound failed unknown_target']);
  });

  it('stores the result of a send although the store fails temporarily', async () => {
    const used = await set();
    const settle = used.ledger.messages.settle.bind(used.ledger.messages);
    let attempts = 0;
    used.ledger.messages.settle = async (...parameters) => {
      attempts += 1;
      if (attempts < 3) throw new StorageError('disk_full', 'full');
      return settle(...parameters);
    };
    const { question, delivery, shown } = await processed(used);
    expect(attempts).toBe(3);
    expect(used.published).toEqual(['outbound sent null', 'inbound answered answered']);
    expect(shown).toEqual(['=one']);
    expect(delivery).toMatchObject({ state: 'sent' });
    expect(question).toMatchObject({ state: 'answered' });
  });

  describe('that was shown while it was written', () => {
    /** A platform that shows messages by number, as those do that can edit. */
    const editingPlatform = () => {
      const platform = recordingPlatform();
      const chat: string[] = [];
      const fails: Error[] = [];
      const show = async (said: string, progress: SendProgress | undefined, known: { number: number | null }) => {
        const failure = fails.shift();
        if (failure !== undefined) throw failure;
        if (known.number === null) {
          known.number = chat.push(said) - 1;
          await progress?.store({ number: known.number });
        } else chat[known.number] = said;
      };
      const saidIn = (chain: readonly object[]) =>
        chain.map((element) => ('text' in element ? element.text : '')).join('');
      const knownOf = (progress?: SendProgress) => ({
        number: (progress?.handle as { number: number } | null)?.number ?? null,
      });
      const { create } = platform.implementation;
      platform.implementation.create = (config, context) => ({
        ...create(config, context),
        send: async ({ message_chain }, progress) => {
          await show(saidIn(message_chain), progress, knownOf(progress));
          return {};
        },
        stream: async (_, progress) => {
          const known = knownOf(progress);
          return {
            update: (chain) => show(saidIn(chain), progress, known),
            finish: async (chain) => {
              await show(saidIn(chain), progress, known);
              return {};
            },
          };
        },
      });
      return { platform, chat, fails };
    };
    it('replaces by edits what an earlier process showed', async () => {
      const { platform, chat } = editingPlatform();
      const stopping = new AbortController();
      const used = await set({
        platform,
        says: [text('Hel'), text('lo')],
        before: () => {
          if (chat.length > 0) stopping.abort(new Error('the service stops'));
        },
      });
      const message = await used.received('Hello');
      await expect(used.processor.process(message, stopping.signal)).rejects.toThrow('the service stops');
      expect(chat).toEqual(['Hel']);
      await afterDeath(used.storage, used.ledger.messages);
      const { question } = await again(used);
      expect(question).toMatchObject({ state: 'answered' });
      expect(chat).toEqual(['Hello']);
      expect(used.requests).toHaveLength(2);
    });

    it('is sent again by an edit after a rate limit', async () => {
      const { platform, chat, fails } = editingPlatform();
      const used = await set({
        platform,
        says: [text('Hel'), text('lo')],
        before: () => {
          if (chat.length > 0) fails.push(limited(20), limited(20));
        },
      });
      let { question } = await processed(used);
      expect(question).toMatchObject({ state: 'received', reason: 'quota' });
      fails.length = 0;
      while (question?.state === 'received') ({ question } = await again(used));
      expect(chat).toEqual(['Hello']);
      expect(used.requests).toHaveLength(1);
    });

    it('is sent again by an edit whose result is unknown', async () => {
      const { platform, chat, fails } = editingPlatform();
      const used = await set({
        platform,
        says: [text('Hel'), text('lo')],
        before: () => {
          if (chat.length > 0) fails.push(lostEdit, lostEdit);
        },
      });
      let { question } = await processed(used);
      fails.length = 0;
      while (question?.state === 'received') ({ question } = await again(used));
      expect(question).toMatchObject({ state: 'answered' });
      expect(chat).toEqual(['Hello']);
    });

    it('is sent completely, with a note in the trace, when the start may have arrived', async () => {
      const { platform, chat, fails } = editingPlatform();
      fails.push(unknown);
      const used = await set({ platform, says: [text('Hel'), text('lo')] });
      let { question, gates } = await processed(used);
      while (question?.state === 'received') ({ question, gates } = await again(used));
      expect(question).toMatchObject({ state: 'answered' });
      expect(chat).toEqual(['Hello']);
      expect(gates).toContainEqual(expect.objectContaining({ name: 'stream', reason: 'partial_remains' }));
    });

    it('keeps that note over later attempts that can be found again', async () => {
      const { platform, chat, fails } = editingPlatform();
      const stops = [new AbortController(), new AbortController()];
      const running = () => stops.find(({ signal }) => !signal.aborted);
      // The first update of a stream is not recorded, and says nothing about the platform.
      fails.push(new StorageError('unreachable', 'away'));
      let pieces = 0;
      const used = await set({
        platform,
        says: [text('Hel'), text('lo')],
        before: () => {
          pieces += 1;
          if (pieces % 2 === 0) running()?.abort(new Error('the service stops'));
        },
      });
      let message = await used.received('Hello');
      for (const shown of [[], ['Hel']]) {
        const signal = running()?.signal as AbortSignal;
        await expect(used.processor.process(message, signal)).rejects.toThrow('the service stops');
        expect(chat).toEqual(shown);
        await afterDeath(used.storage, used.ledger.messages);
        message = (await claimOne(used.ledger.messages, [])) ?? message;
      }
      const { question, gates } = await processed(used, message);
      expect(question).toMatchObject({ state: 'answered' });
      expect(chat).toEqual(['Hello']);
      expect(gates).toContainEqual(expect.objectContaining({ name: 'stream', reason: 'partial_remains' }));
    });
  });
});
