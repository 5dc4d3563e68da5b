import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { ledgerSteps } from '../../../test/stores/ledger-steps.ts';

const backlog = 50_000;

describeOnEachEngine('with a long backlog the ledger', (storage) => {
  const { ledger, accept, claimed, end, conversationOf } = ledgerSteps(storage);
  /** Stores many copies of the one message that there is, behind it. */
  const copy = async (state: string) => {
    await sql`insert into messages
      (uuid, bot_uuid, conversation_uuid, direction, sequence, sender_id, sender_name, message_chain, text, state, created_at)
      with recursive numbers(number) as (select 2 union all select number + 1 from numbers where number <= ${sql.lit(backlog)})
      select 'uuid-' || number, bot_uuid, conversation_uuid, direction, number, sender_id, sender_name, message_chain,
        'copy ' || number, ${sql.lit(state)}, created_at
      from numbers cross join messages`.execute(storage().database);
    await storage()
      .database.updateTable('conversations')
      .set({ last_sequence: backlog + 1 })
      .execute();
  };
  /** Leaves PostgreSQL with statistics of an empty table, as it may have them when a backlog arrives. */
  const deleteMessages = async () => {
    await sql`delete from messages`.execute(storage().database);
    if (storage().engine === 'postgres') await sql`analyze messages`.execute(storage().database);
  };
  const fastest = async (work: (run: number) => Promise<unknown>) => {
    const runs: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const begin = performance.now();
      await work(run);
      runs.push(performance.now() - begin);
    }
    return Math.min(...runs);
  };
  /**
   * Less time than reading all of the ledger, or not much more than without a backlog, which counts on a busy machine
   * where commits are slow. PostgreSQL answers each of many statements over a socket, which takes about as long; its
   * plans are checked in `query-plans.test.ts`.
   */
  const isShort = async (milliseconds: number, { part = 1, before = 0 } = {}) => {
    if (storage().engine === 'postgres' || milliseconds < 5 * before) return true;
    const whole = sql`select count(*) from messages where message_chain like '%nothing%'`;
    return milliseconds < (await fastest(() => whole.execute(storage().database))) / part;
  };

  it('does not let others wait for a conversation that has much to do', async () => {
    const answerOther = async (run: number) => {
      await accept(`other ${run}`, 'ada');
      const message = await claimed();
      expect(message.text).toBe(`other ${run}`);
      await end(message);
    };
    const before = await fastest(answerOther);
    await deleteMessages();
    await accept('one', 'busy');
    await copy('received');
    const busy = await claimed();
    expect(busy.text).toBe('one');
    expect(await isShort(await fastest(answerOther), { before })).toBe(true);
    await end(busy);
    expect((await claimed()).text).toBe('copy 2');
  });

  it('works on such a conversation itself as fast as on any', async () => {
    const before = await fastest(async (run) => {
      await accept(`other ${run}`, 'ada');
      const message = await claimed();
      await ledger().messages.waitingBehind(message, 5);
      await end(message);
    });
    await deleteMessages();
    await accept('one', 'busy');
    await copy('received');
    const one = await fastest(async (run) => {
      const message = await claimed();
      expect(message.sequence).toBe(run + 1);
      expect((await ledger().messages.waitingBehind(message, 5)).map(({ sequence }) => sequence)).toEqual(
        [2, 3, 4, 5, 6].map((sequence) => sequence + run),
      );
      await end(message);
      await accept('more', 'busy');
    });
    expect(await isShort(one, { before })).toBe(true);
  });

  it('finds waiting messages and history without reading settled ones', async () => {
    await accept('one', 'busy');
    await end(await claimed());
    await copy('stopped');
    const { uuid } = await conversationOf('busy');
    expect(await isShort(await fastest(() => claimOne(ledger().messages, [])), { part: 2 })).toBe(true);
    expect(await isShort(await fastest(() => ledger().messages.recover()))).toBe(true);
    expect(await isShort(await fastest(() => ledger().history.before(uuid, backlog, 10)))).toBe(true);
    expect((await ledger().history.before(uuid, backlog, 10)).map(({ text }) => text)).toEqual(['one']);
  });
});
