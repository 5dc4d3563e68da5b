import { describe, expect, it } from 'vitest';
import { fakeParser } from './fake-parser.ts';
import { parseInThread } from './parse-in-thread.ts';
import { parserContract, parserFile } from './parser-contract.ts';

parserContract({
  parser: fakeParser,
  samples: [
    {
      file: parserFile('two-pages.lines', '# Title\nOne.\n\nTwo.\fThree.'),
      expects: ({ title, blocks, pages }) => {
        expect(title).toBe('Title');
        expect(blocks.map(({ page }) => page)).toEqual([1, 1, 1, 2]);
        expect(pages).toHaveLength(2);
      },
    },
  ],
  broken: [{ file: parserFile('bad.lines', 'This is broken.') }],
});

describe('parseInThread', () => {
  it('reports a parser that hangs', async () => {
    const module = 'data:text/javascript,export const parse = () => { for (;;); };';
    await expect(parseInThread(module, [parserFile('endless.txt', '')], 500)).rejects.toThrow('endless.txt');
  });

  it('reports a failure', async () => {
    const module = 'data:text/javascript,export const parse = async () => { throw new TypeError("oh"); };';
    const outcomes = await parseInThread(module, [parserFile('bad.txt', '')], 30_000);
    expect(outcomes).toEqual([{ reason: undefined, message: expect.stringContaining('TypeError: oh') }]);
  });

  it('fails when the module cannot be loaded', async () => {
    await expect(parseInThread('file:///nothing.js', [parserFile('a.txt', '')], 30_000)).rejects.toThrow('nothing.js');
  });
});
