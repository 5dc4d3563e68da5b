import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import type { ClaimedMessage } from '../../core/messages/message.ts';
import { newUuid } from '../../lib/uuid.ts';
import { BotGreetings } from '../bots/bot-greetings.ts';
import { type Ledger, openLedger } from './open-ledger.ts';

const key = conversationKey();
const bot = key.bot_uuid;

describeOnEachEngine('messages that users change', (storage) => {
  const open = () => openLedger(storage());
  const send = async (ledger: Ledger, id: string, text = id) =>
    (await ledger.messages.accept(key, messageEvent(text, { platform_message_id: id }))).uuid;
  const row = (id: string) =>
    storage()
      .database.selectFrom('messages')
      .select(['state', 'reason', 'message_chain', 'text', 'finished_at'])
      .where('platform_message_id', '=', id)
      .executeTakeFirstOrThrow();

  it('are dropped while they wait, and the next one takes their turn', async () => {
    const ledger = await open();
    const uuid = await send(ledger, 'one');
    await send(ledger, 'two');
    const recalled = await ledger.waitingMessages.recall(bot, 'one');
    expect(recalled).toEqual({ uuid, conversation_uuid: expect.any(String) });
    expect(await row('one')).toMatchObject({ state: 'stopped', reason: 'recalled', finished_at: expect.any(String) });
    expect(await claimOne(ledger.messages, [])).toMatchObject({ text: 'two' });
    expect(await ledger.waitingMessages.recall(bot, 'one')).toBeNull();
  });

  it('leave nothing to claim when they were the only one', async () => {
    const ledger = await open();
    await send(ledger, 'one');
    await ledger.waitingMessages.recall(bot, 'one');
    expect([await claimOne(ledger.messages, []), await ledger.messages.nextDue()]).toEqual([null, null]);
  });

  it('leave the due time of one that stands before them', async () => {
    const ledger = await open();
    await send(ledger, 'one');
    const first = (await claimOne(ledger.messages, [])) as ClaimedMessage;
    const until = new Date(Date.now() + 60_000).toISOString();
    await ledger.messages.release(first, { until, reason: 'aggregating' });
    await send(ledger, 'two');
    await ledger.waitingMessages.recall(bot, 'two');
    expect(await row('two')).toMatchObject({ state: 'stopped', reason: 'recalled' });
    // PostgreSQL tells how long it is until then, so the call itself takes part of it.
    expect(Math.abs(((await ledger.messages.nextDue()) ?? 0) - Date.parse(until))).toBeLessThan(1000);
  });

  it('do not wait for what a dropped one waited for', async () => {
    const ledger = await open();
    await send(ledger, 'one');
    const first = (await claimOne(ledger.messages, [])) as ClaimedMessage;
    const until = new Date(Date.now() + 60_000).toISOString();
    await ledger.messages.release(first, { until, reason: 'rate_limited' });
    await send(ledger, 'two');
    await ledger.waitingMessages.recall(bot, 'one');
    expect(await claimOne(ledger.messages, [])).toMatchObject({ text: 'two' });
  });

  it('are replaced while they wait', async () => {
    const ledger = await open();
    await send(ledger, 'one');
    expect(await ledger.waitingMessages.edit(bot, 'one', plain('better\u0000'))).toBe(true);
    expect(await claimOne(ledger.messages, [])).toMatchObject({ message_chain: plain('better\u0000') });
    expect((await row('one')).text).toMatch(/^better/);
  });

  it('go on when they are being answered, were answered, or have a part of an answer', async () => {
    const ledger = await open();
    await send(ledger, 'one');
    const unchanged = async (state: string) => {
      expect(await ledger.waitingMessages.recall(bot, 'one')).toBeNull();
      expect(await ledger.waitingMessages.edit(bot, 'one', plain('late'))).toBe(false);
      expect(await row('one')).toMatchObject({ state, text: 'one' });
    };
    const message = await claimOne(ledger.messages, []);
    if (message === null) throw new Error('nothing was waiting');
    await unchanged('processing');
    await ledger.deliveries.beginAnswer(message);
    await ledger.messages.release(message, null);
    await unchanged('received');
    const again = (await claimOne(ledger.messages, [])) as ClaimedMessage;
    const end = { answer: null, merged: [], record: null };
    await ledger.messages.settle(again, { state: 'stopped', reason: 'ignored' }, end);
    await unchanged('stopped');
    expect((await row('one')).reason).toBe('ignored');
  });

  it('are those of the bot alone, and known ones', async () => {
    const ledger = await open();
    await send(ledger, 'one');
    for (const [other, id] of [
      [newUuid(), 'one'],
      [bot, 'two'],
      [bot, ''],
    ] as const) {
      expect(await ledger.waitingMessages.recall(other, id)).toBeNull();
      expect(await ledger.waitingMessages.edit(other, id, plain('x'))).toBe(false);
    }
    expect(await row('one')).toMatchObject({ state: 'received', text: 'one' });
  });

  it('are told once of an event, also when two tell it at once', async () => {
    const { database } = storage();
    const bots = [newUuid(), newUuid()];
    const columns = { description: '', adapter: 'x', adapter_config: '{}', enable: 1, created_at: '', updated_at: '' };
    for (const uuid of bots) {
      await database
        .insertInto('bots')
        .values({ uuid, name: 'Bot', ...columns } as never)
        .execute();
    }
    const [first = '', second = ''] = bots;
    const greetings = new BotGreetings(database);
    const long = 'event '.repeat(10_000);
    const both = await Promise.all([greetings.isFirst(first, long), greetings.isFirst(first, long)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await new BotGreetings(database).isFirst(first, long)).toBe(false);
    expect([await greetings.isFirst(second, long), await greetings.isFirst(first, 'other')]).toEqual([true, true]);
    await database.deleteFrom('bots').where('uuid', '=', first).execute();
    expect(await database.selectFrom('bot_greetings').select('bot_uuid').execute()).toEqual([{ bot_uuid: second }]);
  });
});
