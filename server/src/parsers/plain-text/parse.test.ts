import { parserContract, parserFile } from '@parley/sdk/testing';
import { expect } from 'vitest';
import { plainText } from './index.ts';

const log = Array.from({ length: 500 }, (_line, index) => `2026-01-01 00:00:00 line ${index} of a log`).join('\n');

parserContract({
  parser: plainText,
  samples: [
    {
      file: parserFile('letter.txt', 'Dear Ada,\nhow are you?\n\n\n  \nYours\n'),
      expects: ({ title, blocks, page_kind }) => {
        expect(blocks).toEqual([
          { type: 'paragraph', text: 'Dear Ada,\nhow are you?' },
          { type: 'paragraph', text: 'Yours' },
        ]);
        expect([title, page_kind]).toEqual([null, null]);
      },
    },
    {
      file: parserFile('pages.txt', 'One.\n\f\nTwo.\n\f\n\f\nFour.\n\f\n'),
      expects: ({ blocks, pages, page_kind }) => {
        expect(page_kind).toBe('page');
        expect(blocks.map(({ page }) => page)).toEqual([1, 2, 4]);
        expect(pages.map(({ characters }) => characters)).toEqual([4, 4, 0, 5]);
      },
    },
    {
      file: parserFile('service.log', log),
      expects: ({ blocks }) => {
        expect(blocks.length).toBeGreaterThan(3);
        const texts = blocks.map((block) => (block.type === 'paragraph' ? block.text : ''));
        expect(texts.join('\n')).toBe(log);
        expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(4200);
      },
    },
    {
      title: 'a text of another encoding',
      file: parserFile(
        'gruss.txt',
        new Uint8Array(Buffer.from('Größe in Zürich: überall schön und für alle', 'latin1')),
      ),
      expects: ({ blocks, warnings }) => {
        expect(blocks).toEqual([{ type: 'paragraph', text: 'Größe in Zürich: überall schön und für alle' }]);
        expect(warnings).toEqual([expect.stringContaining('windows-1252')]);
      },
    },
  ],
  broken: [{ file: parserFile('zeros.txt', new Uint8Array(1000)) }],
});
