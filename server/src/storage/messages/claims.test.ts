import { beforeEach, expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answered, partOf } from '../../../test/stores/ledger-steps.ts';
import { afterDeath, otherReplica } from '../../../test/stores/replicas.ts';
import { storePlugin } from '../../../test/stores/store-plugin.ts';
import type { Answer, DeliveryLedger } from '../../core/messages/delivery-ledger.ts';
import type { ClaimedMessage } from '../../core/messages/message.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Storage } from '../storage.ts';
import { type Ledger, openLedger } from './open-ledger.ts';

const answer: Answer = {
  pieces: [[{ type: 'Plain', text: 'one' }], [{ type: 'Plain', text: 'two' }]],
  text: 'one two',
  state: 'finished',
  outcome: answered,
  merged: [],
};
const record = { trace: { attempt: 1, steps: [] }, model_calls: [] } as unknown as Parameters<
  DeliveryLedger['finishAnswer']
>[2];
const sent = { state: 'sent', reason: null, error: null, platform_message_id: null } as const;

describeOnEachEngine('claims of messages', (storage: () => Storage) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await openLedger(storage());
  });

  const claim = async (): Promise<ClaimedMessage> => {
    const message = await claimOne(ledger.messages, []);
    if (message === null) throw new Error('nothing was waiting');
    return message;
  };
  const rows = () =>
    storage().database.selectFrom('messages').select(['state', 'attempts', 'claimed_by', 'reason']).execute();
  /** Another process takes the message over. */
  const takeOver = (uuid: string) =>
    storage().database.updateTable('messages').set({ claimed_by: newUuid() }).where('uuid', '=', uuid).execute();
  const everything = async () => {
    const { database } = storage();
    return {
      messages: await database.selectFrom('messages').selectAll().orderBy('position').execute(),
      deliveries: await database.selectFrom('deliveries').selectAll().orderBy('piece').execute(),
      effects: await database.selectFrom('plugin_effects').selectAll().execute(),
      handles: await database.selectFrom('delivery_handles').selectAll().execute(),
      traces: await database.selectFrom('message_traces').selectAll().execute(),
      queue: await database.selectFrom('queue').selectAll().execute(),
    };
  };

  it('carry the owner until the message is released or has ended', async () => {
    const { id } = storage().replica;
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    const message = await claim();
    expect(message).not.toHaveProperty('claimed_by');
    expect(message.claim).toBe(1);
    expect(await ledger.history.shown(message.conversation_uuid, 10)).toMatchObject([{ uuid: message.uuid }]);
    expect((await ledger.history.shown(message.conversation_uuid, 10))[0]).not.toHaveProperty('claim');
    expect(await rows()).toMatchObject([{ state: 'processing', claimed_by: id, attempts: 1 }]);
    await ledger.messages.release(message, null);
    expect(await rows()).toMatchObject([{ state: 'received', claimed_by: null, attempts: 1 }]);
    await ledger.messages.settle(await claim(), answered, { answer: null, merged: [], record: null });
    expect(await rows()).toMatchObject([{ state: 'answered', claimed_by: null, attempts: 2 }]);
  });

  it('that are released uncounted leave the attempts as they were', async () => {
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    for (let round = 0; round < 5; round += 1) {
      const message = await claim();
      expect(message.attempts).toBe(1);
      await ledger.messages.release(message, null, { isCounted: false });
    }
    await ledger.messages.release(await claim(), null);
    expect((await claim()).attempts).toBe(2);
  });

  it.each(['another owner', 'the same owner'])(
    'of an earlier one refuse every write when claimed by %s',
    async (by) => {
      await ledger.messages.accept(conversationKey(), messageEvent('one'));
      const message = await claim();
      const { message: stored } = await ledger.deliveries.finishAnswer(message, answer, record);
      await storePlugin(storage(), 'p');
      const key = { message_uuid: message.uuid, claim: message.claim, plugin_id: 'p', point: 'received', ordinal: 0 };
      const said = { chain: answer.pieces[0] ?? [], text: 'one', expiresAt: '2999-01-01T00:00:00.000Z' };
      const reply = await ledger.effects.storeReply(key, message, said);
      await ledger.effects.beginSend(key);
      if (by === 'another owner') await takeOver(message.uuid);
      else {
        // Not counted, so that the number of attempts is the same.
        await storage()
          .database.updateTable('messages')
          .set({ attempts: 0 })
          .where('uuid', '=', message.uuid)
          .execute();
        await ledger.messages.release(message, null);
        expect(await claim()).toMatchObject({ uuid: message.uuid, attempts: 1, claim: message.claim + 1 });
      }
      const before = await everything();
      const refused = { name: 'StorageError', kind: 'unavailable', detail: 'not_owner' };
      await expect(ledger.deliveries.beginAnswer(message)).rejects.toMatchObject(refused);
      await expect(ledger.deliveries.finishAnswer(message, answer, record)).rejects.toMatchObject(refused);
      await expect(ledger.deliveries.settleDelivery(partOf(stored.uuid, 0, message), sent)).rejects.toMatchObject(
        refused,
      );
      await expect(ledger.deliveries.storeHandle(partOf(stored.uuid, 0, message), 'shown')).rejects.toMatchObject(
        refused,
      );
      const part = partOf(stored.uuid, 0, message);
      await expect(ledger.deliveries.beginDelivery(part)).rejects.toMatchObject(refused);
      await expect(ledger.deliveries.detachDelivery(part)).rejects.toMatchObject(refused);
      const { uuid } = reply.message;
      const later = { reason: 'quota', error: 'later', unconfirmed_since: null } as const;
      await expect(ledger.effects.storeVerdict(key, {})).rejects.toMatchObject(refused);
      await expect(ledger.effects.beginReply(uuid, message)).rejects.toMatchObject(refused);
      await expect(ledger.effects.endReply(uuid, message, sent)).rejects.toMatchObject(refused);
      await expect(ledger.effects.postponeReply(uuid, message, later)).rejects.toMatchObject(refused);
      await expect(ledger.effects.endSend(key, { state: 'sent' })).rejects.toMatchObject(refused);
      expect(await ledger.messages.release(message, null)).toBe(false);
      const postponed = { ...later, answer_uuid: stored.uuid, piece: 0, until: '2999' };
      expect(await ledger.deliveries.postponeDelivery(message, postponed)).toBe(false);
      expect(await ledger.messages.settle(message, answered, { answer: null, merged: [], record })).toBeNull();
      const result = { uuid: stored.uuid, piece: 0, delivery: sent };
      expect(await ledger.messages.settle(message, answered, { answer: result, merged: [], record })).toBeNull();
      if (by === 'another owner') expect(await ledger.messages.reclaim([])).toBe(0);
      expect(await everything()).toEqual(before);
    },
  );

  it('are taken over by the recovery of another process', async () => {
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    const message = await claim();
    const another = await otherReplica(storage());
    const other = await openLedger(another);
    expect(await other.messages.recover()).toMatchObject({ messages: 0 });
    expect(await afterDeath(storage(), other.messages)).toMatchObject({ messages: 1 });
    await expect(ledger.deliveries.finishAnswer(message, answer, record)).rejects.toMatchObject({
      detail: 'not_owner',
    });
    const again = await claimOne(other.messages, []);
    expect(again).toMatchObject({ uuid: message.uuid, attempts: 2 });
    await expect(ledger.deliveries.beginAnswer(message)).rejects.toMatchObject({ detail: 'not_owner' });
    await ledger.messages.release(message, null);
    expect(await rows()).toMatchObject([{ state: 'processing' }]);
  });

  const tell = () => ledger.deliveries.createOutgoing(conversationKey(), [{ type: 'Plain', text: 'news' }], 'news');

  it('of unsolicited messages are those of the one who sends them', async () => {
    const news = await tell();
    await ledger.deliveries.storeHandle(partOf(news.uuid, 0, news), 'shown');
    await ledger.deliveries.settleDelivery(partOf(news.uuid, 0, news), sent);
    expect((await everything()).deliveries).toMatchObject([{ state: 'sent' }]);
  });

  it.each(['taken over', 'sent again'])('of unsolicited messages are outdated when those were %s', async (how) => {
    const news = await tell();
    const failed = { state: 'failed', reason: 'quota', error: 'No more', platform_message_id: null } as const;
    if (how === 'taken over') await afterDeath(storage(), ledger.messages);
    else {
      await ledger.deliveries.settleDelivery(partOf(news.uuid, 0, news), failed);
      const again = await ledger.deliveries.reopenDelivery(news, 0, '2999-01-01T00:00:00.000Z');
      expect(again).toEqual({ state: 'sending', claim: { uuid: news.uuid, claim: 2 } });
    }
    const before = await everything();
    const refused = { detail: 'not_owner' };
    const part = partOf(news.uuid, 0, news);
    await expect(ledger.deliveries.settleDelivery(part, sent)).rejects.toMatchObject(refused);
    await expect(ledger.deliveries.storeHandle(part, 'shown')).rejects.toMatchObject(refused);
    await expect(ledger.deliveries.detachDelivery(part)).rejects.toMatchObject(refused);
    await expect(ledger.deliveries.beginDelivery(part)).rejects.toMatchObject(refused);
    expect(await everything()).toEqual(before);
  });

  it('that ended tell so once more, as the result may have been lost with the connection', async () => {
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    const message = await claim();
    const end = { answer: null, merged: [], record: null };
    expect(await ledger.messages.settle(message, answered, end)).toEqual(answered);
    expect(await ledger.messages.settle(message, answered, end)).toEqual(answered);
    expect(await ledger.messages.settle(message, { state: 'failed', reason: 'internal' }, end)).toBeNull();
  });

  it('are none while another message of the conversation is being processed', async () => {
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    await ledger.messages.accept(conversationKey(), messageEvent('two'));
    const message = await claim();
    await storage().database.updateTable('queue').set({ is_running: 0 }).execute();
    expect(await claimOne(ledger.messages, [])).toBeNull();
    await ledger.messages.settle(message, answered, { answer: null, merged: [], record: null });
    expect(await claim()).toMatchObject({ text: 'two' });
  });

  it('are none for a replica that was taken over', async () => {
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    const { database, engine, replica } = storage();
    const become = (state: 'live' | 'ended') =>
      database.updateTable('replicas').set({ state }).where('id', '=', replica.id).execute();
    await become('ended');
    // SQLite has one process.
    if (engine === 'postgres') expect(await claimOne(ledger.messages, [])).toBeNull();
    await become('live');
    await claim();
  });

  it('that no process holds are put back, uncounted, and running ones are not', async () => {
    for (const session_id of ['a', 'b'])
      await ledger.messages.accept(conversationKey({ session_id }), messageEvent(session_id));
    const [running, lost] = [await claim(), await claim()];
    expect(await claimOne(ledger.messages, [])).toBe(null);
    expect(await ledger.messages.reclaim([running])).toBe(1);
    expect(await claim()).toMatchObject({ uuid: lost.uuid, attempts: 1 });
    expect(await ledger.messages.reclaim([running, { uuid: lost.uuid, claim: lost.claim + 1 }])).toBe(0);
  });
});
