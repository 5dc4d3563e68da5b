import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { findDelimiter } from './find-delimiter.ts';
import { hasHead } from './has-head.ts';
import { csv } from './index.ts';
import { parse } from './parse.ts';

const file = (name: string, content: string | Uint8Array) => parserFile(name, content, 'text/csv');
const table = (head: boolean, ...rows: string[][]) => [{ type: 'table', head, rows }];

parserContract({
  parser: csv,
  samples: [
    {
      file: file('prices.csv', 'name,price\r\n"Chair, ""red""\nfoldable",12\r\n\r\nTable,99,extra\r\nLamp\r\n'),
      expects: ({ blocks }) =>
        expect(blocks).toEqual(
          table(true, ['name', 'price'], ['Chair, "red"\nfoldable', '12'], ['Table', '99', 'extra'], ['Lamp']),
        ),
    },
    {
      file: file('excel.csv', '\ufeffsep=;\nName;Preis\nStuhl;12,50\n'),
      expects: ({ blocks }) => expect(blocks).toEqual(table(true, ['Name', 'Preis'], ['Stuhl', '12,50'])),
    },
    {
      file: file('numbers.tsv', '1\ta, b\n2\tc, d\n'),
      expects: ({ blocks }) => expect(blocks).toEqual(table(false, ['1', 'a, b'], ['2', 'c, d'])),
    },
    {
      title: 'Chinese of an older encoding',
      file: file(
        'gb.csv',
        new Uint8Array([0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0xbc, 0xdb, 0xb8, 0xf1, 10, 0xd2, 0xce, 0xd7, 0xd3, 0x2c, 0x35]),
      ),
      expects: ({ blocks }) => expect(blocks).toEqual(table(true, ['名称', '价格'], ['椅子', '5'])),
    },
    {
      title: 'a quotation mark that is never closed',
      file: file('open.csv', 'name,size\nScreen,"21\nDesk,3\n'),
      expects: ({ blocks, warnings }) => {
        expect(blocks).toEqual(table(true, ['name', 'size'], ['Screen', '"21'], ['Desk', '3']));
        expect(warnings).toEqual([expect.stringContaining('not closed')]);
      },
    },
  ],
  broken: [{ file: file('zeros.csv', new Uint8Array(1000)) }],
});

describe('a long table', () => {
  it('is split into parts, each with the header', async () => {
    const rows = Array.from({ length: 1200 }, (_row, index) => `item ${index},${index}`);
    const { blocks } = await parse(file('long.csv', `name,number\n${rows.join('\n')}`), fakeParserContext());
    expect(blocks).toHaveLength(3);
    for (const block of blocks) {
      expect(block).toMatchObject({ type: 'table', head: true });
      expect(block.type === 'table' && block.rows[0]).toEqual(['name', 'number']);
    }
    const told = blocks.flatMap((block) => (block.type === 'table' ? block.rows.slice(1) : []));
    expect(told.map((row) => row.join(','))).toEqual(rows);
  });
});

describe('findDelimiter', () => {
  it.each([
    ['a;b\n1,5;2\n2,5;3', ';'],
    ['a|b|c\n1|2|3', '|'],
    ['a\tb\n1, 2\t3', '\t'],
    ['one column\nof words', ','],
    ['"a;b;c",d\n"e;f",g', ','],
    ['', ','],
  ])('finds it in %j', (text, delimiter) => {
    expect(findDelimiter(text)).toBe(delimiter);
  });

  it('uses the default when no delimiter fits', () => {
    expect(findDelimiter('words', '\t')).toBe('\t');
  });
});

describe('hasHead', () => {
  it.each([
    [
      [
        ['name', 'price'],
        ['a', '1'],
      ],
      true,
    ],
    [
      [
        ['', '2025-01'],
        ['a', '1'],
      ],
      false,
    ],
    [
      [
        ['a', 'a'],
        ['b', 'c'],
      ],
      false,
    ],
    [
      [
        ['1', 'b'],
        ['c', 'd'],
      ],
      false,
    ],
    [[['name']], false],
    [[], false],
  ])('of %j is %j', (rows, expected) => {
    expect(hasHead(rows)).toBe(expected);
  });
});
