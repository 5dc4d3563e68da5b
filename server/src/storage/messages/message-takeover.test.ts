import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';

const later = () => new Date(Date.now() + 3_600_000).toISOString();

describeOnEachEngine('after the death of a replica the ledger', (storage) => {
  const { ledger, accept, claimed, answer, end, deliveries } = ledgerSteps(storage);
  const claimAll = async () => {
    const texts: string[] = [];
    for (
      let message = await claimOne(ledger().messages, []);
      message !== null;
      message = await claimOne(ledger().messages, [])
    ) {
      texts.push(message.text);
    }
    return texts;
  };

  it('recovers, and starts with complete answers', async () => {
    for (const text of ['half', 'begun', 'whole', 'failed', 'done', 'waiting']) await accept(text, text);
    const [half, begun, whole, failed, done] = [
      await claimed(),
      await claimed(),
      await claimed(),
      await claimed(),
      await claimed(),
    ];
    const writing = await ledger().deliveries.beginAnswer(begun);
    const { message: complete } = await ledger().deliveries.finishAnswer(whole, answerOf(['a', 'b', 'c']), noRecord);
    await ledger().deliveries.settleDelivery(partOf(complete.uuid, 0, whole), sent);
    await ledger().deliveries.finishAnswer(failed, answerOf('No', { state: 'failed' }), noRecord);
    await answer(done, 'Bye');
    await ledger().deliveries.createOutgoing(conversationKey(), plain('news'), 'news');
    const old = await ledger().deliveries.createOutgoing(conversationKey(), plain('old news'), 'old news');
    await ledger().deliveries.settleDelivery(partOf(old.uuid, 0, old), sent);

    expect(await afterDeath(storage(), ledger().messages)).toEqual({ messages: 4, deliveries: 1 });
    expect(await deliveries()).toEqual({
      'abc 0': 'sent',
      'abc 1': 'sending',
      'abc 2': 'pending',
      'No 0': 'sending',
      'Bye 0': 'sent',
      'news 0': 'uncertain',
      'old news 0': 'sent',
    });
    const inbound = storage().database.selectFrom('messages').where('direction', '=', 'inbound');
    const states = await inbound.select(['text', 'state']).orderBy('position').execute();
    expect(states.map(({ text, state }) => `${text} ${state}`)).toEqual([
      'half received',
      'begun received',
      'whole received',
      'failed received',
      'done answered',
      'waiting received',
    ]);
    const again = [await claimed(), await claimed()];
    expect(again.map(({ text, attempts }) => `${text} ${attempts}`).sort()).toEqual(['failed 2', 'whole 2']);
    expect((await ledger().deliveries.answerTo(whole.uuid))?.deliveries.map(({ state }) => state)).toEqual([
      'sent',
      'sending',
      'pending',
    ]);
    expect(await claimAll()).toEqual(['half', 'begun', 'waiting']);
    expect(await ledger().deliveries.beginAnswer({ ...begun, claim: begun.claim + 1 })).toEqual(writing);
    expect(await afterDeath(storage(), ledger().messages)).toEqual({ messages: 5, deliveries: 0 });
    expect(half.attempts).toBe(1);
  });

  it('records why the outcome of unsolicited messages is unknown', async () => {
    await ledger().deliveries.createOutgoing(conversationKey(), plain('news'), 'news');
    await afterDeath(storage(), ledger().messages);
    const row = await storage().database.selectFrom('deliveries').selectAll().executeTakeFirst();
    expect(row).toMatchObject({ state: 'uncertain', reason: 'interrupted' });
  });

  it('fills the queue from the ledger, in order, when there is no queue', async () => {
    for (const text of ['a1', 'b1', 'a2', 'c1', 'c2']) await accept(text, text[0]);
    await end(await claimed());
    await storage().database.deleteFrom('queue').execute();
    expect(await claimOne(ledger().messages, [])).toBeNull();
    expect(await afterDeath(storage(), ledger().messages)).toEqual({ messages: 0, deliveries: 0 });
    expect(await claimAll()).toEqual(['b1', 'a2', 'c1']);
  });

  it('resumes no ended message, although the queue contains it', async () => {
    await accept('one');
    await accept('two', 'bob');
    await storage().database.updateTable('messages').set({ state: 'stopped' }).where('text', '=', 'one').execute();
    expect(await claimAll()).toEqual(['two']);
    await afterDeath(storage(), ledger().messages);
    expect(await claimAll()).toEqual(['two']);
  });

  it('keeps due times', async () => {
    await accept('limited', 'ada');
    const until = later();
    await ledger().messages.release(await claimed(), { until, reason: 'rate_limited' });
    await accept('begun', 'bob');
    await claimed();
    expect(await afterDeath(storage(), ledger().messages)).toEqual({ messages: 1, deliveries: 0 });
    expect(await claimAll()).toEqual(['begun']);
    const due = (await ledger().messages.nextDue()) ?? 0;
    expect(Math.abs(due - Date.parse(until))).toBeLessThan(1000);
  });

  it('does not process a conversation twice when it recovers while messages arrive', async () => {
    await accept('one');
    await claimed();
    const [, receipts] = await Promise.all([
      afterDeath(storage(), ledger().messages),
      Promise.all(['two', 'three', 'other'].map((text) => accept(text, text === 'other' ? 'bob' : 'ada'))),
    ]);
    expect(receipts).toHaveLength(3);
    expect((await claimAll()).sort()).toEqual(['one', 'other']);
  });
});
