import type { Migration } from './migration.ts';

/** When the recovery key of an account was created; null for keys from before, and where none was ever shown. */
export const recoveryKeyDates: Migration = {
  name: '0036-recovery-key-dates',
  statements: (schema) => [schema.alterTable('accounts').addColumn('recovery_key_created_at', 'text')],
};
