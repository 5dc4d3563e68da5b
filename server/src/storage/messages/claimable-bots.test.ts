import { beforeEach, describe, expect, it } from 'vitest';
import { addBot } from '../../../test/stores/add-bot.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answered, noRecord } from '../../../test/stores/ledger-steps.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { ClaimableBots } from '../../core/bots/running-bot.ts';
import type { ClaimedMessage } from '../../core/messages/message.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyBotStore } from '../bots/kysely-bot-store.ts';
import type { Storage } from '../storage.ts';
import { type Ledger, openLedger } from './open-ledger.ts';

const all = { except: [] };
const everyone = 10;
const texts = (messages: readonly ClaimedMessage[]) => messages.map(({ text }) => text);
const endOf = (ledger: Ledger, message: ClaimedMessage) =>
  ledger.messages.settle(message, answered, { answer: null, merged: [], record: noRecord });

describeOnEachEngine('claims of messages of some bots', (storage) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await openLedger(storage());
  });
  const acceptFor = (bot_uuid: string, text: string) =>
    ledger.messages.accept(conversationKey({ bot_uuid, session_id: text }), messageEvent(text, { session_id: text }));
  const claim = async (bots: ClaimableBots, limit = everyone) => texts(await ledger.messages.claim(bots, limit));
  const bot = async (enable: boolean) => {
    const uuid = newUuid();
    await addBot(storage(), { uuid, enable });
    return uuid;
  };

  it('leave those of other enabled bots, in order, and find those that nothing can answer any more', async () => {
    const [mine, second, other] = [await bot(true), await bot(true), await bot(true)];
    const [disabled, deleted] = [await bot(false), newUuid()];
    for (const [text, uuid] of Object.entries({ o1: other, m1: mine, s1: second, d1: disabled, g1: deleted, m2: mine }))
      await acceptFor(uuid, text);
    expect(await claim({ only: [mine, second] }, 2)).toEqual(['m1', 's1']);
    expect(await claim({ only: [mine, second] })).toEqual(['d1', 'g1', 'm2']);
    expect(await claim({ only: [] })).toEqual([]);
    // It was disabled meanwhile.
    await new KyselyBotStore(storage().database, storage().engine).update(other, () => ({ enable: false }));
    expect(await claim({ only: [] })).toEqual(['o1']);
  });

  it('hand each message to one of many, whose bots differ', async () => {
    const bots = [await bot(true), await bot(true), await bot(true)] as const;
    for (let index = 0; index < 30; index += 1) await acceptFor(bots[index % 3] as string, `${index}`);
    const claimed = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const [only, left] = [bots[index % 3] as string, bots[(index + 1) % 3] as string];
        const messages = await ledger.messages.claim({ only: [only, left] }, 5);
        expect(messages.every(({ bot_uuid }) => bot_uuid === only || bot_uuid === left)).toBe(true);
        return texts(messages);
      }),
    );
    expect(claimed.flat().toSorted((left, right) => Number(left) - Number(right))).toEqual(
      Array.from({ length: 30 }, (_, index) => `${index}`),
    );
  });
});

describe('messages whose answer is awaited in a replica', () => {
  let storage: Storage;
  let other: Storage;
  let [here, there]: Ledger[] = [];
  const ledgers = () => [here, there] as [Ledger, Ledger];
  beforeEach(async () => {
    storage = await openTestStorage('postgres');
    other = await otherReplica(storage);
    [here, there] = [await openLedger(storage), await openLedger(other)];
    return () => storage.close();
  });
  const accept = (ledger: Ledger, text: string, session_id = text, isAwaited = true) =>
    ledger.messages.accept(conversationKey({ session_id }), messageEvent(text, { session_id }), { isAwaited });
  const isOf = (bots: ClaimableBots) => [`of ${JSON.stringify(bots)}`, bots] as const;

  it.each([isOf(all), isOf({ except: [newUuid()] }), isOf({ only: [conversationKey().bot_uuid] })])(
    'are claimed there only %s, as long as it lives',
    async (_, bots) => {
      const [first, second] = ledgers();
      await accept(first, 'awaited here');
      await accept(first, 'of anyone', 'of anyone', false);
      await accept(second, 'awaited there');
      expect(texts(await second.messages.claim(bots, everyone))).toEqual(['of anyone', 'awaited there']);
      expect(texts(await first.messages.claim(bots, everyone))).toEqual(['awaited here']);
      await accept(second, 'left');
      await accept(second, 'left, too');
      const [claimed] = await second.messages.claim(bots, 1);
      expect(claimed?.text).toBe('left');
      expect(await first.messages.claim(bots, everyone)).toEqual([]);
      await takeOver(other, first.takenOver);
      expect(texts(await first.messages.claim(bots, everyone))).toEqual([
        'of anyone',
        'awaited there',
        'left',
        'left, too',
      ]);
    },
  );

  it.each([isOf(all), isOf({ except: [newUuid()] }), isOf({ only: [conversationKey().bot_uuid] })])(
    'are all that a replica claims that is about to stop %s',
    async (_, bots) => {
      const [first, second] = ledgers();
      await accept(first, 'of anyone', 'of anyone', false);
      await accept(first, 'awaited here');
      await accept(second, 'awaited there');
      expect(texts(await first.messages.claim({ ...bots, homeOnly: true }, everyone))).toEqual(['awaited here']);
      expect(texts(await second.messages.claim(bots, everyone))).toEqual(['of anyone', 'awaited there']);
    },
  );

  it('keep the order of their conversation, each with its own replica', async () => {
    const [first, second] = ledgers();
    for (const [text, ledger] of [
      ['one', first],
      ['two', second],
      ['three', first],
    ] as const)
      await accept(ledger, text, 'ada');
    expect(await second.messages.claim(all, everyone)).toEqual([]);
    const [one] = await first.messages.claim(all, everyone);
    // Released, it waits for the same replica again.
    await first.messages.release(one as ClaimedMessage, null);
    expect(await second.messages.claim(all, everyone)).toEqual([]);
    const [again] = await first.messages.claim(all, everyone);
    expect(again?.text).toBe('one');
    await endOf(first, again as ClaimedMessage);
    expect(await first.messages.claim(all, everyone)).toEqual([]);
    const [two] = await second.messages.claim(all, everyone);
    expect(two?.text).toBe('two');
    // Its replica has claimed it without learning of that.
    expect(await second.messages.reclaim([])).toBe(1);
    expect(await first.messages.claim(all, everyone)).toEqual([]);
    const [found] = await second.messages.claim(all, everyone);
    await endOf(second, found as ClaimedMessage);
    expect(await second.messages.claim(all, everyone)).toEqual([]);
    expect(texts(await first.messages.claim(all, everyone))).toEqual(['three']);
  });

  it('leave the conversation to the next one when they are stopped while they wait', async () => {
    const [first, second] = ledgers();
    const { conversation_uuid } = await accept(first, 'one', 'ada');
    await accept(second, 'two', 'ada');
    expect(await first.messages.stopWaiting(conversation_uuid, 2, 'cancelled')).toHaveLength(1);
    expect(await first.messages.claim(all, everyone)).toEqual([]);
    expect(texts(await second.messages.claim(all, everyone))).toEqual(['two']);
  });

  it('have their replica also where messages are stored and end one by one', async () => {
    const [first, second] = ledgers();
    const { takenOver: alone } = first;
    await alone.accept(conversationKey(), messageEvent('one'), { isAwaited: true });
    expect(await second.messages.claim(all, everyone)).toEqual([]);
    const [message] = await alone.claim(all, everyone);
    expect(message?.text).toBe('one');
    await second.takenOver.acceptAll([{ key: conversationKey(), event: messageEvent('two'), isAwaited: true }]);
    await alone.settle(message as ClaimedMessage, answered, { answer: null, merged: [], record: null });
    expect(await alone.claim(all, everyone)).toEqual([]);
    const [next] = await second.takenOver.claim(all, everyone);
    expect(next?.text).toBe('two');
    await second.takenOver.release(next as ClaimedMessage, null);
    expect(await alone.claim(all, everyone)).toEqual([]);
    expect(texts(await second.takenOver.claim(all, everyone))).toEqual(['two']);
  });
});
