import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allPipelineFields, pipelineDocs, pipelineDocsFile, pipelineFields, testNames } from './write-pipeline-docs.ts';

const { tests, missing } = pipelineFields;
const fields = allPipelineFields();
const used = fields.filter(({ isIdle }) => !isIdle).map(({ path }) => path);

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
  it('names a test for every field that does something, and for no other', () => {
    expect([...Object.keys(tests), ...missing].sort()).toEqual(used.toSorted());
  });

  it.each(Object.entries(tests))('names a test that there is for %s', (_, { file, test }) => {
    expect(testNames(file)).toContain(test);
  });
});

it('groups of runners that are not installed are known', () => {
  const idle = new Set(fields.filter(({ isIdle }) => isIdle).map(({ path }) => path.split('.')[1]));
  expect([...idle]).not.toContain('local-agent');
  expect([...idle]).not.toContain('runner');
  expect(used).toContain('ai.local-agent.prompt');
});

it('tests are found by their names, alone and with several cases', () => {
  const names = testNames('scripts/write-pipeline-docs.test.ts');
  expect(names).toContain('names a test that there is for %s');
  expect(names).toContain('docs/pipeline-fields.json');
  expect(names).toContain('every field of the configuration has its row');
  expect(names).not.toContain('a test that is not there');
});
