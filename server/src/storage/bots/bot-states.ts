import type { AccountProfile } from '@parley/sdk';
import { sql, type Transaction } from 'kysely';
import type { BotStateStore, SharedBotState, UsedAccount } from '../../core/bots/bot-state-store.ts';
import { now } from '../../lib/clock.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned } from '../replicas/replica-rows.ts';

type StateRow = Omit<Tables['bot_states'], 'account_key'>;

/** The states of bots, which replicas show each other. */
export class BotStates implements BotStateStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: Claimant;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claimant = claimant;
  }

  async all(): Promise<(SharedBotState & { replica: string })[]> {
    const rows = await this.#database
      .selectFrom('bot_states')
      .select(['bot_uuid', 'replica', 'state', 'reason', 'error', 'since', 'account_id', 'account_profile'])
      .execute();
    return rows.map(({ account_profile: profile, ...row }) => ({
      ...row,
      account_profile: profile === null ? null : (JSON.parse(profile) as AccountProfile),
    }));
  }

  async save(states: readonly (SharedBotState & { token: number })[]): Promise<void> {
    if (states.length === 0) return;
    const replica = this.#claimant.id;
    await this.#database.transaction().execute(async (transaction) => {
      // In one order, so that two replicas never wait for each other.
      for (const { account_profile: profile, ...state } of states.toSorted(byBot)) {
        const account_profile = profile === null ? null : JSON.stringify(profile);
        const isConnected = state.state === 'running' || state.state === 'reconnecting';
        await write(transaction, { ...state, replica, account_profile }, (key) => (isConnected ? key : null));
      }
      await raiseVersion(transaction);
    });
  }

  async useAccount({ bot_uuid, adapter, account_id, token }: UsedAccount): Promise<string | null> {
    const account_key = JSON.stringify([adapter, account_id]);
    return this.#database.transaction().execute(async (transaction) => {
      // One after the other. SQLite has one writer at a time anyway.
      if (this.#engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${advisoryLocks.botAccounts})`.execute(transaction);
      const other = await transaction
        .selectFrom('bot_states')
        .select('bot_uuid')
        .where('account_key', '=', account_key)
        .where('bot_uuid', '<>', bot_uuid)
        .where(({ not }) => not(isAbandoned('bot_states.replica')))
        .executeTakeFirst();
      if (other !== undefined) return other.bot_uuid;
      const status = { state: 'starting' as const, reason: null, error: null, since: now() };
      const row = { bot_uuid, replica: this.#claimant.id, token, ...status, account_id, account_profile: null };
      await write(transaction, row, () => account_key);
      await raiseVersion(transaction);
      return null;
    });
  }
}

/**
 * Writes the state of a bot that is there, unless one was stored with a later token.
 * @param keyAfter the account that it is connected with, from the one that was stored before
 */
async function write(
  transaction: Transaction<Tables>,
  row: StateRow,
  keyAfter: (key: string | null) => string | null,
): Promise<void> {
  const { bot_uuid, ...state } = row;
  const stored = await transaction
    .selectFrom('bots')
    .leftJoin('bot_states', 'bot_states.bot_uuid', 'bots.uuid')
    .select(['bot_states.token', 'bot_states.account_key'])
    .where('bots.uuid', '=', bot_uuid)
    .executeTakeFirst();
  if (stored === undefined) return;
  const account_key = keyAfter(stored.account_key);
  await transaction
    .insertInto('bot_states')
    .values({ bot_uuid, ...state, account_key })
    .onConflict((conflict) =>
      conflict
        .column('bot_uuid')
        .doUpdateSet(({ eb, fn, ref }) => ({
          ...state,
          account_key,
          // Requests are taken while it is not connected, too.
          account_id: fn.coalesce('excluded.account_id', 'bot_states.account_id'),
          account_profile: eb
            .case()
            .when('excluded.account_id', 'is', null)
            .then(ref('bot_states.account_profile'))
            .else(ref('excluded.account_profile'))
            .end(),
        }))
        .where('bot_states.token', '<=', state.token),
    )
    .execute();
}

/** Others read the states once it is another one. */
async function raiseVersion(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .updateTable('bot_state_version')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .execute();
}

function byBot(left: SharedBotState, right: SharedBotState): number {
  return left.bot_uuid < right.bot_uuid ? -1 : 1;
}
