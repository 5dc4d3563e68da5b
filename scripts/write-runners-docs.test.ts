import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testNames } from './write-pipeline-docs.ts';
import {
  capabilities,
  installedRunners,
  runnerCapabilities,
  runnersDocs,
  runnersDocsFile,
} from './write-runners-docs.ts';

const page = readFileSync(runnersDocsFile, 'utf8');

it('docs/runners.md matches docs/runners.json; `npm run docs` updates it', () => {
  expect(runnersDocs(page)).toBe(page);
  expect(() => runnersDocs('# Runners')).toThrow('no place');
});

describe('docs/runners.json', () => {
  it('has every built-in runner, and no other', () => {
    expect(Object.keys(runnerCapabilities).sort()).toEqual(installedRunners.map(({ name }) => name).sort());
  });

  const cells = Object.entries(runnerCapabilities).flatMap(([runner, row]) =>
    Object.entries(row).map(([capability, shown]) => ({ runner, capability, shown })),
  );

  it('says of each what it can do', () => {
    for (const row of Object.values(runnerCapabilities)) {
      expect(Object.keys(row).sort()).toEqual(Object.keys(capabilities).sort());
    }
  });

  it.each(cells)('names a test for $capability of $runner, or says why not', ({ shown }) => {
    if (typeof shown === 'string') expect(shown).toMatch(/^no: ./);
    else expect(testNames(shown.file)).toContain(shown.test);
  });
});

it('docs/runners.md has a section for each runner of an external service', () => {
  for (const { name } of installedRunners) expect(page).toContain(`\`${name}\``);
});
