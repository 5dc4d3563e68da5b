import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { json } from './index.ts';
import { parse } from './parse.ts';

const file = (name: string, content: string) => parserFile(name, content, 'application/json');
const paragraph = (...lines: string[]) => ({ type: 'paragraph', text: lines.join('\n') });

parserContract({
  parser: json,
  samples: [
    {
      file: file(
        'records.json',
        '[{"id":12345678901234567890,"name":"Chair","size":{"width":40},"tags":["red",null,"old"],"note":""},{"name":"Table"}]',
      ),
      expects: ({ blocks }) =>
        expect(blocks).toEqual([
          paragraph('id: 12345678901234567890', 'name: Chair', 'size.width: 40', 'tags: red, null, old'),
          paragraph('name: Table'),
        ]),
    },
    {
      file: file('lines.jsonl', '{"a":1}\n\n{"a":2}\n{"a":'),
      expects: ({ blocks, warnings }) => {
        expect(blocks).toEqual([paragraph('a: 1'), paragraph('a: 2')]);
        expect(warnings).toEqual(['1 lines could not be read and were skipped.']);
      },
    },
    {
      title: 'lines of JSON by the name of JSON',
      file: file('lines.json', '{"a":1}\n{"a":2}\n'),
      expects: ({ blocks }) => expect(blocks).toEqual([paragraph('a: 1'), paragraph('a: 2')]),
    },
    {
      file: file(
        'settings.yaml',
        '# comment\nserver: &server\n  port: 80\n  hosts: [a, b]\nother: *server\nbig: 12345678901234567890\n',
      ),
      expects: ({ blocks }) =>
        expect(blocks).toEqual([
          paragraph(
            'server.port: 80',
            'server.hosts: a, b',
            'other.port: 80',
            'other.hosts: a, b',
            'big: 12345678901234567890',
          ),
        ]),
    },
    {
      file: file('several.yml', 'kind: one\n---\nkind: two\n'),
      expects: ({ blocks }) => expect(blocks).toEqual([paragraph('kind: one'), paragraph('kind: two')]),
    },
    {
      title: 'a single value',
      file: file('text.json', '"only this"'),
      expects: ({ blocks }) => expect(blocks).toEqual([paragraph('only this')]),
    },
  ],
  broken: [
    { file: file('cut.json', '{"a": [1, 2') },
    { file: file('words.jsonl', 'these are\nno records') },
    { file: file('wrong.yaml', 'a: [1\nb: }') },
    { file: file('deep.json', '['.repeat(1_000_000)) },
    { file: file('deep-closed.json', '['.repeat(500_000) + ']'.repeat(500_000)), reason: 'document_too_complex' },
    {
      title: 'YAML that refers to itself until it is very much',
      file: file(
        'laughs.yaml',
        Array.from({ length: 12 }, (_line, index) =>
          index === 0
            ? 'a0: &a0 [x, x]'
            : `a${index}: &a${index} [${Array(9)
                .fill(`*a${index - 1}`)
                .join(', ')}]`,
        ).join('\n'),
      ),
    },
  ],
});

describe('large values', () => {
  it('are split by record, below headings with their path', async () => {
    const products = Array.from({ length: 50 }, (_product, index) => ({ name: `Product ${index}`, price: index }));
    const long = { text: 'word '.repeat(400), other: 'x' };
    const content = { version: 1, shop: { name: 'Ours', products }, pages: [long] };
    const { blocks } = await parse(file('shop.json', JSON.stringify(content)), fakeParserContext());
    expect(blocks.slice(0, 5)).toEqual([
      paragraph('version: 1'),
      { type: 'heading', level: 1, text: 'shop' },
      paragraph('name: Ours'),
      { type: 'heading', level: 2, text: 'shop.products' },
      paragraph('name: Product 0', 'price: 0'),
    ]);
    expect(blocks.slice(-5)).toEqual([
      { type: 'heading', level: 1, text: 'pages' },
      { type: 'heading', level: 2, text: 'pages[0]' },
      paragraph('other: x'),
      { type: 'heading', level: 3, text: 'pages[0].text' },
      paragraph(long.text.trim()),
    ]);
  });

  it('has values that are no records together', async () => {
    const words = Array.from({ length: 1000 }, (_word, index) => `word${index}`);
    const { blocks } = await parse(file('words.json', JSON.stringify(words)), fakeParserContext());
    expect(blocks.length).toBeGreaterThan(3);
    expect(blocks.flatMap((block) => (block.type === 'paragraph' ? block.text.split('\n') : []))).toEqual(words);
  });
});
