import { expect, it, vi } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { ledgerSteps, times } from '../../../test/stores/ledger-steps.ts';
import type { Arrival } from '../../core/messages/message-ledger.ts';
import { PostgresKysely } from '../postgres-database.ts';

describeOnEachEngine('messages that are stored together', (storage) => {
  const { ledger, claimed, messageRows } = ledgerSteps(storage);
  const arrival = (text: string, person: string): Arrival => ({
    key: conversationKey({ session_id: person }),
    event: messageEvent(text, { session_id: person, sender_id: person }),
  });

  it('are stored in their order, in one transaction', async () => {
    const { database } = storage();
    const transactions =
      database instanceof PostgresKysely ? vi.spyOn(database.batches, 'begin') : vi.spyOn(database, 'transaction');
    const receipts = await ledger().messages.acceptAll([
      arrival('a1', 'ann'),
      arrival('b1', 'ben'),
      arrival('a2', 'ann'),
      arrival('a3', 'ann'),
    ]);
    expect(transactions).toHaveBeenCalledTimes(1);
    transactions.mockRestore();
    expect(receipts.map(({ outcome, sequence }) => `${outcome} ${sequence}`)).toEqual([
      'accepted 1',
      'accepted 1',
      'accepted 2',
      'accepted 3',
    ]);
    expect(new Set(receipts.map(({ conversation_uuid }) => conversation_uuid)).size).toBe(2);
    expect((await messageRows()).slice(-4).map(({ text }) => text)).toEqual(['a1', 'b1', 'a2', 'a3']);
    expect([(await claimed()).text, (await claimed()).text].sort()).toEqual(['a1', 'b1']);
    expect(await claimOne(ledger().messages, [])).toBeNull();
  });

  it('are stored once, also when two of them are the same', async () => {
    const [first, other] = [arrival('one', 'cat'), arrival('two', 'cat')];
    const before = await ledger().messages.accept(first.key, first.event);
    const receipts = await ledger().messages.acceptAll([first, other, other]);
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['repeated', 'accepted', 'repeated']);
    expect(receipts[0]).toEqual({ ...before, outcome: 'repeated' });
    expect(receipts[2]?.uuid).toBe(receipts[1]?.uuid);
  });

  it('are stored all or not at all', async () => {
    const before = (await messageRows()).length;
    const broken = arrival('bad', 'dan');
    const event = { ...broken.event, message_chain: [{ type: 'Plain', text: 1n }] as never };
    await expect(ledger().messages.acceptAll([arrival('good', 'eve'), { key: broken.key, event }])).rejects.toThrow(
      TypeError,
    );
    expect(await messageRows()).toHaveLength(before);
    expect(await ledger().messages.acceptAll([])).toEqual([]);
  });

  it('never wait for those of another batch for ever', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const batch = (round: number, names: readonly string[]) => names.map((name) => arrival(`${round}`, name));
    const rounds = await times(8, (round) =>
      ledger().messages.acceptAll(batch(round, round % 2 ? people : people.toReversed())),
    );
    expect(rounds.flat().every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(
      rounds
        .flat()
        .map(({ sequence }) => sequence)
        .sort((left, right) => left - right),
    ).toEqual(Array.from({ length: 8 * 12 }, (_, index) => 1 + Math.floor(index / 12)));
  });
});
