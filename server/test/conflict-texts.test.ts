import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../src/', import.meta.url));

/** Errors whose text comes from elsewhere, or which no page of the console shows. */
const exceptions = {
  // Of the command line.
  'administration.ts': 1,
  // Of the task, which says why it cannot be cancelled.
  'core/tasks/task-service.ts': 1,
  // Of a question of the evaluation, which is shown with its own error.
  'core/knowledge/evaluation-service.ts': 1,
  // Its setting is described in each language.
  'providers/seekdb/index.ts': 1,
};

it('conflicts have a code, by which the console translates them', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const found = files.map((file) => {
    const source = readFileSync(`${sources}${file}`, 'utf8');
    return [file, [...source.matchAll(/new ParleyError\(\s*'conflict'/g)].length] as const;
  });
  expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(exceptions);
});
