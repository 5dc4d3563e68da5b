import type { SecondFactor, SecondFactorStore } from '../../core/accounts/second-factor-store.ts';
import type { Database } from '../database.ts';

export class KyselySecondFactorStore implements SecondFactorStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async byAccount(accountUuid: string): Promise<SecondFactor | null> {
    const row = await this.#database
      .selectFrom('second_factors')
      .select(({ selectFrom }) => [
        'sealed_secret',
        'enabled_at',
        selectFrom('recovery_codes')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('recovery_codes.account_uuid', '=', 'second_factors.account_uuid')
          .as('recovery_codes_left'),
      ])
      .where('account_uuid', '=', accountUuid)
      .executeTakeFirst();
    return row === undefined ? null : { ...row, recovery_codes_left: row.recovery_codes_left ?? 0 };
  }

  async propose(accountUuid: string, sealedSecret: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('second_factors')
      .values({ account_uuid: accountUuid, sealed_secret: sealedSecret, last_step: 0, enabled_at: null })
      .onConflict((conflict) =>
        conflict
          .column('account_uuid')
          .doUpdateSet({ sealed_secret: sealedSecret })
          .where('second_factors.enabled_at', 'is', null),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  enable(accountUuid: string, sealedSecret: string, step: number, codeHashes: string[], at: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('second_factors')
        .set({ enabled_at: at, last_step: step })
        .where('account_uuid', '=', accountUuid)
        .where('sealed_secret', '=', sealedSecret)
        .where('enabled_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await transaction
        .insertInto('recovery_codes')
        .values(codeHashes.map((code_hash) => ({ account_uuid: accountUuid, code_hash })))
        .execute();
      return true;
    });
  }

  async useStep(accountUuid: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('account_uuid', '=', accountUuid)
      .where('last_step', '<', step)
      .where('enabled_at', 'is not', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async useRecoveryCode(accountUuid: string, codeHash: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('recovery_codes')
      .where('account_uuid', '=', accountUuid)
      .where('code_hash', '=', codeHash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  remove(accountUuid: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('recovery_codes').where('account_uuid', '=', accountUuid).execute();
      const removed = await transaction
        .deleteFrom('second_factors')
        .where('account_uuid', '=', accountUuid)
        .returning('enabled_at')
        .executeTakeFirst();
      return removed?.enabled_at != null;
    });
  }
}
