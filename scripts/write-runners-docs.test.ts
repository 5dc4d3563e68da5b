import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mentions } from './mentions.ts';
import {
  capabilities,
  installedRunners,
  runnerCapabilities,
  runnersDocs,
  runnersDocsFile,
} from './write-runners-docs.ts';

/** Words that a test of a capability cannot do without. */
const subjects = {
  streaming: /stream|delta/i,
  memory: /history|conversation/i,
  images_in: /image/i,
  files_in: /file/i,
  files_out: /file|image/i,
  usage: /usage|tokens/i,
  tools: /tool/i,
} satisfies Record<keyof typeof capabilities, RegExp>;

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
    Object.entries(row).map(([capability, shown]) => ({ runner, capability: capability as keyof typeof row, shown })),
  );

  it('says of each what it can do', () => {
    for (const row of Object.values(runnerCapabilities)) {
      expect(Object.keys(row).sort()).toEqual(Object.keys(capabilities).sort());
    }
  });

  it.each(cells)('names a test for $capability of $runner, or says why not', ({ runner, capability, shown }) => {
    if (typeof shown === 'string') {
      expect(shown).toMatch(/^no: ./);
      return;
    }
    expect(mentions(`${dirname(shown.file)}/index.ts`, `'${runner}'`)).toBe(true);
    expect(readFileSync(new URL(`../${shown.file}`, import.meta.url), 'utf8')).toMatch(subjects[capability]);
  });
});

it('docs/runners.md has a section for each runner of an external service', () => {
  for (const { name } of installedRunners) expect(page).toContain(`\`${name}\``);
});
