import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelRequesters } from '../server/src/providers/index.ts';
import { capabilityTests, modelCapabilities, requestersWith } from '../server/test/factories/model-capabilities.ts';
import { mentions } from './mentions.ts';
import { modelsDocs, modelsDocsFile } from './write-models-docs.ts';

const rows = modelsDocs()
  .split('\n')
  .filter((line) => line.startsWith('| `') && line.split('|').length > 5)
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('docs/models.md matches the requesters; `npm run docs` updates it', () => {
  expect(readFileSync(modelsDocsFile, 'utf8')).toBe(modelsDocs());
});

it('every requester has its row', () => {
  expect(rows.map((cells) => cells[1]).sort()).toEqual(modelRequesters.map(({ name }) => `\`${name}\``).sort());
});

describe.each(modelCapabilities)('the capability $name', ({ name }) => {
  it('has a test, which runs for each requester', () => {
    expect(mentions(capabilityTests, `it.each(requestersWith('${name}'))`)).toBe(true);
  });

  it('is a "yes" for those that have it, and for no other', () => {
    const column = 4 + modelCapabilities.findIndex((one) => one.name === name);
    const able = rows.filter((cells) => cells[column] !== '');
    expect(able.map((cells) => cells[1]).sort()).toEqual(
      requestersWith(name)
        .map((one) => `\`${one.name}\``)
        .sort(),
    );
    for (const cells of able) expect(cells[column]).toBe('yes');
  });
});
