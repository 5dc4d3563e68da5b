import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { looksClosely } from '../../../test/shared/looks-closely.ts';
import { markdown } from './index.ts';
import { parse } from './parse.ts';

const file = (name: string, content: string) => parserFile(name, content, 'text/markdown');

parserContract({
  parser: markdown,
  samples: [
    {
      file: file(
        'everything.md',
        [
          '---\ntitle: "From the front: matter"\ntags: [a]\n---\n',
          '# First *heading*\n',
          'Text with `code`, a [link](https://example.com) and ![a picture](a.png).\nSecond line<br>third\\\nfourth.\n',
          '- one\n\n  still one\n  - inner\n    ```js title="a.js"\n    let a;\n    ```\n- [x] done\n- [ ] open\n',
          '1. first\n2. second\n',
          '> quoted\n',
          '| name | price |\n|---|--:|\n| a \\| b | **1** |\n| c |\n',
          'Setext\n======\n',
          '<div><p>From <b>HTML</b></p><script>alert(1)</script></div>\n',
          'A note[^1].\n\n[^1]: What it says.\n',
          '---\n\n    indented code\n',
        ].join('\n'),
      ),
      expects: ({ title, blocks }) => {
        expect(title).toBe('From the front: matter');
        expect(blocks).toEqual([
          { type: 'heading', level: 1, text: 'First heading' },
          {
            type: 'paragraph',
            text: 'Text with code, a link and a picture.\nSecond line\nthird\nfourth.',
          },
          { type: 'list-item', text: 'one\nstill one' },
          { type: 'list-item', text: 'inner' },
          { type: 'code', text: 'let a;', language: 'js' },
          { type: 'list-item', text: '[x] done' },
          { type: 'list-item', text: '[ ] open' },
          { type: 'list-item', text: 'first' },
          { type: 'list-item', text: 'second' },
          { type: 'paragraph', text: 'quoted' },
          {
            type: 'table',
            head: true,
            rows: [['name', 'price'], ['a | b', '1'], ['c']],
          },
          { type: 'heading', level: 1, text: 'Setext' },
          { type: 'paragraph', text: 'From HTML' },
          { type: 'paragraph', text: 'A note.' },
          { type: 'paragraph', text: 'What it says.' },
          { type: 'code', text: 'indented code' },
        ]);
      },
    },
    {
      title: 'a table without a head',
      file: file('table.md', '|  |  |\n|--|--|\n| a | b |\n'),
      expects: ({ blocks }) => expect(blocks).toEqual([{ type: 'table', head: false, rows: [['a', 'b']] }]),
    },
    {
      title: 'a line across the page, which is no front matter',
      file: file('line.md', '---\nJust text\n---\nMore\n'),
      expects: ({ title, blocks }) => {
        expect(title).toBe('Just text');
        expect(blocks.at(-1)).toEqual({ type: 'paragraph', text: 'More' });
      },
    },
    {
      title: 'front matter of another kind',
      file: file('toml.md', '+++\ntitle = "Toml"\ndraft = false\n+++\n\nText\n'),
      expects: ({ title, blocks }) => {
        expect(title).toBe('Toml');
        expect(blocks).toEqual([{ type: 'paragraph', text: 'Text' }]);
      },
    },
  ],
  broken: [
    { file: file('binary.md', new TextDecoder('latin1').decode(new Uint8Array(1000))) },
    { file: file('deep.md', `${'>'.repeat(100_000)}a`), reason: 'document_too_complex' },
    { file: file('deep-list.md', `${'1. '.repeat(5000)}a`), reason: 'document_too_complex' },
    { file: file('deep-emphasis.md', `${'*'.repeat(5000)}a${'*'.repeat(5000)}`), reason: 'document_too_complex' },
  ],
});

describe('long Markdown', () => {
  it('is read in parts, and nothing of it is lost or torn', async () => {
    const section = (index: number) =>
      `## Section ${index}\n\n${'Some words of it. '.repeat(50)}\n\n- item\n\n  more of it\n\n\`\`\`sh\n# no heading ${index}\n\n## either\n\`\`\`\n`;
    const sections = Array.from({ length: 500 }, (_section, index) => section(index));
    const context = fakeParserContext();
    const { blocks } = await parse(file('long.md', sections.join('\n')), context);
    expect(context.steps.length).toBeGreaterThan(3);
    expect(blocks).toHaveLength(4 * sections.length);
    const fourth = blocks.slice(4 * 300, 4 * 301);
    expect(fourth).toEqual([
      { type: 'heading', level: 2, text: 'Section 300' },
      { type: 'paragraph', text: 'Some words of it. '.repeat(50).trim() },
      { type: 'list-item', text: 'item\nmore of it' },
      { type: 'code', text: '# no heading 300\n\n## either', language: 'sh' },
    ]);
  });

  it.runIf(looksClosely)('is cut where it is one list', async () => {
    const list = Array.from({ length: 40_000 }, (_item, index) => `- item ${index}`).join('\n');
    const { blocks } = await parse(file('list.md', list), fakeParserContext());
    expect(blocks).toHaveLength(40_000);
    expect(blocks.at(-1)).toEqual({ type: 'list-item', text: 'item 39999' });
  });
});
