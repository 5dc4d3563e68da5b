import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { ledgerSteps, times } from '../../../test/stores/ledger-steps.ts';
import type { SealedReplyContext } from '../../core/messages/reply-contexts.ts';
import { newUuid } from '../../lib/uuid.ts';

describeOnEachEngine('reply contexts', (storage) => {
  const { ledger } = ledgerSteps(storage);
  const unlimited: SealedReplyContext = { sealed_value: 'sealed', expires_at: null, uses_left: null };
  const received = async (over: Partial<SealedReplyContext> | null) => {
    const context = over && { ...unlimited, ...over };
    return (await ledger().messages.accept(conversationKey(), messageEvent('Hello'), { replyContext: context })).uuid;
  };
  const take = (uuid: string) => ledger().replyContextStore.take(uuid);
  const inTwoSeconds = () => new Date(Date.now() + 2000).toISOString();

  it('can be used as often as wanted without a limit', async () => {
    const uuid = await received({});
    expect(await times(3, () => take(uuid))).toEqual(['sealed', 'sealed', 'sealed']);
  });

  it('are used as often as their number, by concurrent sends, too', async () => {
    const uuid = await received({ uses_left: 3 });
    const taken = await times(10, () => take(uuid));
    expect(taken.filter((value) => value !== null)).toHaveLength(3);
    await ledger().replyContextStore.giveBack(uuid);
    expect([await take(uuid), await take(uuid)]).toEqual(['sealed', null]);
  });

  it('remain unlimited when a use is given back', async () => {
    const uuid = await received({});
    await ledger().replyContextStore.giveBack(uuid);
    expect(await take(uuid)).toBe('sealed');
  });

  it('end when they expire', async () => {
    expect(await take(await received({ expires_at: '2020-01-01T00:00:00.000Z' }))).toBeNull();
    const uuid = await received({ expires_at: inTwoSeconds() });
    expect(await take(uuid)).toBe('sealed');
    await expect.poll(() => take(uuid)).toBeNull();
  });

  it('do not exist for messages without one, or that do not exist', async () => {
    expect(await take(await received(null))).toBeNull();
    expect(await take(newUuid())).toBeNull();
  });

  it('are stored with each message of a batch, and removed with their messages', async () => {
    const arrivals = ['one', 'two'].map((text) => ({
      key: conversationKey(),
      event: messageEvent(text),
      replyContext: { ...unlimited, sealed_value: text },
    }));
    const receipts = await ledger().messages.acceptAll(arrivals);
    expect(await Promise.all(receipts.map(({ uuid }) => take(uuid)))).toEqual(['one', 'two']);
    const uuids = receipts.map(({ uuid }) => uuid);
    await storage().database.deleteFrom('messages').where('uuid', 'in', uuids).execute();
    expect(await Promise.all(uuids.map(take))).toEqual([null, null]);
  });
});
