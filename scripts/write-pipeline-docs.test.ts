import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mentions } from './mentions.ts';
import { allPipelineFields, fieldTests, pipelineDocs, pipelineDocsFile } from './write-pipeline-docs.ts';

const fields = allPipelineFields();
const used = fields.map(({ path }) => path);

it('docs/pipeline.md matches the schema; `npm run docs` updates it', () => {
  expect(readFileSync(pipelineDocsFile, 'utf8')).toBe(pipelineDocs());
});

it('every field of the configuration has its row', () => {
  const rows = pipelineDocs()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows).toHaveLength(fields.length);
  expect(fields.length).toBeGreaterThan(60);
});

describe('docs/pipeline-fields.json', () => {
  it('names a test for every field, and for no other', () => {
    expect(Object.keys(fieldTests).sort()).toEqual(used.toSorted());
  });

  it.each(Object.entries(fieldTests))('names a file that mentions %s', (field, file) => {
    expect(mentions(file, field)).toBe(true);
  });
});
