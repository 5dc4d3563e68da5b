import { expect, it } from 'vitest';
import { nameStatement, statementName } from './statement-names.ts';

it('A statement has the same name in every process, whichever were named before it', () => {
  nameStatement('select 1 as statement_names_test');
  expect(statementName('select 1 as statement_names_test')).toMatch(/^s[\w-]{22}$/);
  expect(statementName('select 1 as statement_names_test')).toBe('sR1eRlk0uOY6BNyxuJqNt4C');
  expect(statementName('select 2 as statement_names_test')).toBeUndefined();
});
