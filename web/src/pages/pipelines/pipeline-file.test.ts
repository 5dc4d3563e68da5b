import { describe, expect, it } from 'vitest';
import { missingIn, type PipelineFile, readPipelineFile } from './pipeline-file.ts';

const file = {
  format: 'parley-pipeline',
  format_version: 1,
  pipeline: { name: 'Support' },
  references: { models: { A: 'large', b: 'small' }, knowledge_bases: { c: 'Handbook' }, mcp_servers: {} },
} as unknown as PipelineFile;

describe('the file of a pipeline', () => {
  it('is read if it is one', () => {
    expect(readPipelineFile(JSON.stringify(file))).toEqual(file);
    for (const text of [
      '',
      'null',
      '[]',
      '1',
      '{"format":"parley-pipeline"}',
      '{"format":"n8n","pipeline":{"name":""}}',
      '<script>',
    ]) {
      expect(readPipelineFile(text)).toBeNull();
    }
  });

  it('names what is missing, with what has the same name here', () => {
    const [large, small, book] = [
      { uuid: 'a', name: 'any' },
      { uuid: 'x', name: 'small' },
      { uuid: 'y', name: 'Book' },
    ];
    const known = { models: [large, small], knowledge_bases: [book], mcp_servers: [] };
    expect(missingIn(file, known)).toEqual([
      { kind: 'models', uuid: 'b', name: 'small', options: [large, small], suggested: 'x' },
      { kind: 'knowledge_bases', uuid: 'c', name: 'Handbook', options: [book], suggested: '' },
    ]);
  });

  it('may lack references: the server says so', () => {
    expect(
      missingIn({ ...file, references: undefined } as never, { models: [], knowledge_bases: [], mcp_servers: [] }),
    ).toEqual([]);
  });
});
