import { CompiledQuery } from 'kysely';
import { required } from './columns.ts';
import type { Migration } from './migration.ts';

/** What an account may do. Those of before could do everything. */
export const roles: Migration = {
  name: '0017-roles',
  statements: (schema) => [
    schema.alterTable('accounts').addColumn('role', 'text', (column) => required(column).defaultTo('member')),
    { compile: () => CompiledQuery.raw(`update accounts set role = 'admin'`) },
  ],
};
