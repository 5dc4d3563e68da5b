import { readFileSync } from 'node:fs';
import { parserContract, parserFile } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { sourceCode } from './index.ts';
import { splitCode } from './split-code.ts';

const method = (index: number) =>
  `    def method_${index}(self):\n        first = ${index}\n\n        return first${' + first'.repeat(40)}\n`;
const python = `import os\nimport sys\n\n\ndef first():\n    return 1${' + 1'.repeat(120)}\n\n\nclass Second:\n${Array.from({ length: 30 }, (_method, index) => method(index)).join('\n')}`;

parserContract({
  parser: sourceCode,
  samples: [
    {
      file: parserFile('module.py', python, 'text/x-python'),
      expects: ({ blocks }) => {
        expect(blocks.every((block) => block.type === 'code' && block.language === 'python')).toBe(true);
        const texts = blocks.map((block) => (block.type === 'code' ? block.text : ''));
        expect(texts.length).toBeGreaterThan(5);
        expect(texts[0]).toMatch(/^import os\nimport sys\n\n\ndef first/);
        // Methods are whole.
        for (const text of texts.slice(1)) expect(text).toMatch(/^(class Second:\n)? {4}def method_/);
        for (const text of texts) expect(text.length).toBeLessThan(4500);
      },
    },
    {
      title: 'a file that only its media type tells',
      file: { ...parserFile('script', 'echo hello\n', 'text/x-python'), extension: '' },
      expects: ({ blocks }) => expect(blocks).toEqual([{ type: 'code', text: 'echo hello', language: 'python' }]),
    },
    {
      file: parserFile('query.sql', 'select 1;\n\nselect 2;\n'),
      expects: ({ blocks }) =>
        expect(blocks).toEqual([{ type: 'code', text: 'select 1;\n\nselect 2;', language: 'sql' }]),
    },
  ],
  broken: [{ file: parserFile('zeros.py', new Uint8Array(1000)) }],
});

describe('splitCode', () => {
  const real = readFileSync(new URL('../../../../sdk/testing/runner-contract.ts', import.meta.url), 'utf8');

  it('loses nothing but spaces at the ends of lines', () => {
    for (const text of [real, python, 'x'.repeat(100_000), 'a\n'.repeat(10_000), '}\n'.repeat(5000)]) {
      expect(splitCode(text).join('\n').trim()).toBe(text.replace(/[ \t]+$/gm, '').trim());
    }
  });

  it('keeps declarations whole', () => {
    const parts = splitCode(real);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part.length).toBeLessThan(4500);
    const whole = parts.find((part) => part.includes('function expectWellFormed('));
    expect(whole).toContain('there is no delta of the type');
  });

  it('returns nothing for empty input', () => {
    expect(splitCode('\n \n')).toEqual([]);
  });
});
