import { longestStateName, longestStateValue } from '@parley/sdk';
import { beforeEach, expect, it } from 'vitest';
import { addBot } from '../../../test/stores/add-bot.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { ledgerSteps, times } from '../../../test/stores/ledger-steps.ts';
import { otherReplica } from '../../../test/stores/replicas.ts';
import { AdapterStates } from '../../core/bots/adapter-states.ts';
import { botLease } from '../../core/replicas/leases.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Storage } from '../storage.ts';
import { AdapterValues } from './adapter-values.ts';
import { KyselyBotStore } from './kysely-bot-store.ts';

describeOnEachEngine('the state of an adapter', (storage) => {
  const { ledger } = ledgerSteps(storage);
  let bot_uuid: string;
  let states: AdapterStates;
  const owner = () => ({ bot_uuid, adapter: 'fake' });
  const state = () => states.of(owner());
  const statesOf = ({ database, replica }: Pick<Storage, 'database' | 'replica'>) =>
    new AdapterStates(new AdapterValues(database, replica), new SecretBox(Buffer.alloc(32, 1)));
  beforeEach(async () => {
    bot_uuid = await addBot(storage());
    states = statesOf(storage());
  });

  it('has no values at first', async () => {
    expect(await state().read('cursor')).toBeNull();
  });

  it('returns what was written last, and nothing once it is removed', async () => {
    await state().write({ cursor: '1', session: 'abc' });
    await state().write({ cursor: '2' });
    expect([await state().read('cursor'), await state().read('session')]).toEqual(['2', 'abc']);
    await state().write({ cursor: null, other: null });
    expect([await state().read('cursor'), await state().read('session')]).toEqual([null, 'abc']);
  });

  it('is encrypted, and opens only for its bot, adapter and name', async () => {
    await state().write({ session: 'a secret session' });
    const [row] = await storage().database.selectFrom('adapter_values').selectAll().execute();
    expect(row?.sealed_value).not.toContain('secret');
    await storage().database.updateTable('adapter_values').set({ name: 'cursor' }).execute();
    await expect(state().read('cursor')).rejects.toThrow();
  });

  it('is written by no replica while another one holds the lease of the bot', async () => {
    const { database, replica } = storage();
    const other = await otherReplica(storage());
    await state().write({ cursor: '1', session: 'abc' });
    await database
      .insertInto('leases')
      .values({ name: botLease(bot_uuid), replica: other.replica.id, token: 4 })
      .execute();
    await state().write({ cursor: '2', session: null, further: 'x' });
    expect([await state().read('cursor'), await state().read('session')]).toEqual(['1', 'abc']);
    expect(await state().read('further')).toBeNull();
    // The message is stored all the same.
    const [key, event] = [conversationKey({ bot_uuid }), messageEvent('1')];
    const receipt = await ledger().messages.accept(key, event, { state: states.sealed(owner(), { cursor: '3' }) });
    expect(receipt.outcome).toBe('accepted');
    expect(await state().read('cursor')).toBe('1');
    await statesOf(other).of(owner()).write({ cursor: '5' });
    expect(await state().read('cursor')).toBe('5');
    for (const holder of [null, replica.id]) {
      await database.updateTable('leases').set({ replica: holder }).execute();
      await state().write({ cursor: String(holder) });
      expect(await state().read('cursor')).toBe(String(holder));
    }
  });

  it('is not visible to other bots and platforms', async () => {
    await state().write({ cursor: '1' });
    expect(await states.of({ bot_uuid: await addBot(storage()), adapter: 'fake' }).read('cursor')).toBeNull();
    expect(await states.of({ bot_uuid, adapter: 'other' }).read('cursor')).toBeNull();
  });

  it('takes values up to a limit, and writes nothing beyond it', async () => {
    const longest = { ['n'.repeat(longestStateName)]: 'ä'.repeat(longestStateValue / 2) };
    await state().write(longest);
    expect(await state().read('n'.repeat(longestStateName))).toHaveLength(longestStateValue / 2);
    for (const values of [
      { cursor: 'x'.repeat(longestStateValue + 1) },
      { ['n'.repeat(longestStateName + 1)]: '' },
      { '': '' },
    ]) {
      await expect(state().write({ first: '1', ...values })).rejects.toMatchObject({ reason: 'invalid_request' });
    }
    expect(await state().read('first')).toBeNull();
  });

  it('is written by many at the same time', async () => {
    await times(10, (index) =>
      state().write(index % 2 ? { a: `${index}`, b: `${index}` } : { b: `${index}`, a: `${index}` }),
    );
    expect(await state().read('a')).toBe(await state().read('b'));
  });

  it('is stored in the transaction of a message, and also with a repeated one', async () => {
    const key = conversationKey({ bot_uuid });
    const event = messageEvent('Hello');
    const accept = (cursor: string) =>
      ledger().messages.accept(key, event, { state: states.sealed(owner(), { cursor }) });
    expect(await accept('1')).toMatchObject({ outcome: 'accepted' });
    expect(await state().read('cursor')).toBe('1');
    expect(await accept('2')).toMatchObject({ outcome: 'repeated' });
    expect(await state().read('cursor')).toBe('2');
    const unknown = { state: states.sealed({ bot_uuid: newUuid(), adapter: 'fake' }, { cursor: '3' }) };
    const refused = messageEvent('Never stored');
    await expect(ledger().messages.accept(key, refused, unknown)).rejects.toThrow();
    // Without the values, the message is not stored either.
    expect(await ledger().messages.accept(key, refused)).toMatchObject({ outcome: 'accepted' });
  });

  it('ends with the bot', async () => {
    await state().write({ cursor: '1' });
    const { database, engine } = storage();
    await new KyselyBotStore(database, engine).delete(bot_uuid);
    expect(await database.selectFrom('adapter_values').selectAll().execute()).toEqual([]);
    await expect(state().write({ cursor: '2' })).rejects.toThrow();
  });
});
