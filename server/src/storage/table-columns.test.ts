import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../test/stores/each-engine.ts';
import { columnsOf, namedTables } from './table-columns.ts';

describeOnEachEngine('columns of tables that are read whole', (storage) => {
  it('are all that the migrated tables have', async () => {
    const tables = await storage().database.introspection.getTables();
    const migrated = new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
    for (const table of namedTables) {
      const columns = (migrated.get(table) ?? [])
        .filter((column) => (table === 'messages' ? column !== 'home' : !isOfClaim(column)))
        .map((column) => `${table}.${column}`);
      expect(columns.toSorted(), table).toEqual([...columnsOf(table)].toSorted());
    }
  });
});

/** Whether a column tells which replica works on the row, which readers are not told. */
const isOfClaim = (column: string) => ['claim', 'claimed_by', 'cancel_requested_at', 'cancel_refusal'].includes(column);

/** Reads columns that the program does not know. Parts of a statement may be read whole: it names theirs itself. */
const star = /\b(?:selectAll|returningAll)\(|\breturning (?:\w+\.)?\*|\bselect \* from (?!\(|json_to_recordset)/;

it('No statement reads columns that a later version adds', () => {
  const folder = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  expect(sources.length).toBeGreaterThan(1000);
  const found = sources.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => star.test(line) && !line.trimStart().startsWith('//'))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
  expect(star.test("database.selectFrom('bots').selectAll('bots')")).toBe(true);
});
