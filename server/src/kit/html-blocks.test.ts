import { expect, test } from 'vitest';
import type { DraftBlock } from './document-draft.ts';
import { htmlBlocks, htmlTree } from './html-blocks.ts';

const blocks = (html: string): DraftBlock[] => {
  const read: DraftBlock[] = [];
  htmlBlocks(htmlTree(html), (block) => read.push(block));
  return read;
};
const paragraph = (text: string) => ({ type: 'paragraph', text });
const item = (text: string) => ({ type: 'list-item', text });

test.each<[string, string, unknown[]]>([
  ['paragraphs', '<p>One  <b>two</b>\n three<br>four', [paragraph('One two three\nfour')]],
  ['text without a paragraph', 'a<div>b<p>c</p>d</div>e', ['a', 'b', 'c', 'd', 'e'].map(paragraph)],
  ['headings', '<h2>Set <i>up</i><br>first</h2>', [{ type: 'heading', level: 2, text: 'Set up\nfirst' }]],
  [
    'lists in lists',
    '<ul><li>a<ol><li>b</ol>c<li><p>d</p><p>e</p></ul>f',
    [item('a'), item('b'), item('c'), item('d\ne'), paragraph('f')],
  ],
  ['terms', '<dl><dt>a<dt>b<dd>c<dd>d<div><dt>e</dt><dd>f</dd></div></dl>', [item('a, b: c'), item('d'), item('e: f')]],
  ['code', '<pre class="lang-c"> if (a)\n   b;</pre>', [{ type: 'code', language: 'c', text: ' if (a)\n   b;' }]],
  [
    'hidden text',
    '<p>a<script>b</script><span hidden>c</span><span style="color:red;display:none">d</span>',
    [paragraph('a')],
  ],
  ['alternative texts', '<p>a<img alt="a lamp"><img>b', [paragraph('a a lamp b')]],
  ['words with their pronunciation', '<p><ruby>漢<rp>(</rp><rt>かん</rt></ruby>字', [paragraph('漢字')]],
])('reads %s', (_name, html, expected) => {
  expect(blocks(html)).toEqual(expected);
});

test.each<[string, string, unknown[]]>([
  [
    'its head',
    '<table><tr><th>a<th>b<tr><td>1<td>2',
    [
      {
        head: true,
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
      },
    ],
  ],
  [
    'no head',
    '<table><tr><th>a<td>b<tr><td>1<td>2',
    [
      {
        head: false,
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
      },
    ],
  ],
  [
    'a head of two rows',
    '<table><thead><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d</thead><tr><td>1<td>2<td>3',
    [
      {
        head: true,
        rows: [
          ['a', 'b c', 'b d'],
          ['1', '2', '3'],
        ],
      },
    ],
  ],
  [
    'cells over rows',
    '<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e',
    [
      {
        head: false,
        rows: [
          ['a', 'b'],
          ['a', 'c'],
          ['d', 'e'],
        ],
      },
    ],
  ],
  [
    'cells over columns',
    '<table><tr><td colspan=2>a<tr><td>b<td>c',
    [
      {
        head: false,
        rows: [
          ['a', ''],
          ['b', 'c'],
        ],
      },
    ],
  ],
  [
    'cells over nothing',
    '<table><tr><td colspan=0 rowspan=0>a<td>b<tr><td rowspan=99>c<td>d',
    [
      {
        head: false,
        rows: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
    ],
  ],
  [
    'paragraphs in cells',
    '<table><tr><td><p>a</p><p>b</p><td>c<tr><td>d<td>e',
    [
      {
        head: false,
        rows: [
          ['a\nb', 'c'],
          ['d', 'e'],
        ],
      },
    ],
  ],
])('reads a table with %s', (_name, html, expected) => {
  expect(blocks(html)).toEqual(expected.map((table) => ({ type: 'table', ...(table as object) })));
});

test('reads layout tables as text', () => {
  const page =
    '<table><tr><td><table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table><td>e<tr><td>f<td>g</table>';
  expect(blocks(page)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(paragraph));
});

test('limits the number of cells', () => {
  const row = '<tr><td colspan=1000 rowspan=65000>a<td>b';
  const [table] = blocks(`<table>${row.repeat(5000)}</table>`);
  const cells = table?.type === 'table' ? table.rows.flat() : [];
  expect(cells.length).toBeGreaterThan(10_000);
  expect(cells.length).toBeLessThan(250_000);
});
