import { readFileSync } from 'node:fs';

/*
 * Names the test cases of a state before that are in none of the lists of the state after. Lists are made by
 * `vitest list --no-static-parse --json=<file>`, one for each configuration:
 *
 *   node scripts/compare-test-cases.ts before.json before-long.json -- after.json after-long.json
 */

const files = process.argv.slice(2);
const cut = files.indexOf('--');
const before = namesIn(files.slice(0, cut));
const after = namesIn(files.slice(cut + 1));

let lost = 0;
for (const [name, count] of before) {
  const missing = count - (after.get(name) ?? 0);
  if (missing <= 0) continue;
  lost += missing;
  process.stdout.write(`${missing} of ${count} missing: ${name}\n`);
}
process.stdout.write(`${sum(before)} cases before, ${sum(after)} after, ${lost} lost\n`);
if (lost > 0) process.exitCode = 1;

/** How often each name is there; a file that several configurations run counts once. */
function namesIn(lists: readonly string[]): Map<string, number> {
  const cases = lists.flatMap((list) => JSON.parse(readFileSync(list, 'utf8')) as { name: string; file: string }[]);
  const filesOf = Map.groupBy(cases, ({ name }) => withoutChance(name));
  return new Map([...filesOf].map(([name, all]) => [name, new Set(all.map(({ file }) => file)).size]));
}

/** Some names hold a new uuid or the name of a temporary folder. */
function withoutChance(name: string): string {
  return name
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/(parley-[a-z]+-)\w{6}\b/g, '$1<>');
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
