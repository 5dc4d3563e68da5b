import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { ledgerSteps, times } from '../../../test/stores/ledger-steps.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';
import { claimOf, type MessageClaim } from '../../core/messages/message.ts';
import type { SealedReplyContext } from '../../core/messages/reply-contexts.ts';
import { newUuid } from '../../lib/uuid.ts';

describeOnEachEngine('reply contexts', (storage) => {
  const { ledger, claimed } = ledgerSteps(storage);
  const unlimited: SealedReplyContext = { sealed_value: 'sealed', expires_at: null, uses_left: null };
  const received = async (over: Partial<SealedReplyContext> | null) => {
    const context = over && { ...unlimited, ...over };
    const session_id = newUuid();
    await ledger().messages.accept(conversationKey({ session_id }), messageEvent('Hello', { session_id }), {
      replyContext: context,
    });
    return claimed();
  };
  const take = (claim: MessageClaim) => ledger().replyContextStore.take(claimOf(claim));
  const giveBack = (claim: MessageClaim) => ledger().replyContextStore.giveBack(claimOf(claim));
  const inTwoSeconds = () => new Date(Date.now() + 2000).toISOString();

  it('can be used as often as wanted without a limit', async () => {
    const message = await received({});
    expect(await times(3, () => take(message))).toEqual(['sealed', 'sealed', 'sealed']);
  });

  it('are used as often as their number, by concurrent sends, too', async () => {
    const message = await received({ uses_left: 3 });
    const taken = await times(10, () => take(message));
    expect(taken.filter((value) => value !== null)).toHaveLength(3);
    await giveBack(message);
    expect([await take(message), await take(message)]).toEqual(['sealed', null]);
  });

  it('remain unlimited when a use is given back', async () => {
    const message = await received({});
    await giveBack(message);
    expect(await take(message)).toBe('sealed');
  });

  it('end when they expire', async () => {
    expect(await take(await received({ expires_at: '2020-01-01T00:00:00.000Z' }))).toBeNull();
    const message = await received({ expires_at: inTwoSeconds() });
    expect(await take(message)).toBe('sealed');
    await expect.poll(() => take(message)).toBeNull();
  });

  it('do not exist for messages without one, or that do not exist', async () => {
    expect(await take(await received(null))).toBeNull();
    await expect(take({ uuid: newUuid(), claim: 1 })).rejects.toMatchObject({ detail: 'not_owner' });
  });

  it('are stored with each message of a batch, and removed with their messages', async () => {
    const arrivals = ['one', 'two'].map((text) => ({
      key: conversationKey({ session_id: text }),
      event: messageEvent(text, { session_id: text }),
      replyContext: { ...unlimited, sealed_value: text },
    }));
    await ledger().messages.acceptAll(arrivals);
    const messages = [await claimed(), await claimed()];
    expect((await Promise.all(messages.map(take))).sort()).toEqual(['one', 'two']);
    await storage().database.deleteFrom('messages').execute();
    expect(await storage().database.selectFrom('reply_contexts').select('message_uuid').execute()).toEqual([]);
  });

  it.each(['taken over', 'claimed again'])('are neither used nor given back when the message was %s', async (how) => {
    const message = await received({ uses_left: 3 });
    if (how === 'taken over') await afterDeath(storage(), ledger().messages);
    else await ledger().messages.release(message, null);
    const again = await claimed();
    await expect(take(message)).rejects.toMatchObject({ detail: 'not_owner' });
    await giveBack(message);
    const row = await storage().database.selectFrom('reply_contexts').select('uses_left').executeTakeFirst();
    expect(row).toEqual({ uses_left: 3 });
    expect(await take(again)).toBe('sealed');
  });
});
