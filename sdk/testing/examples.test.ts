import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kitchenNotes } from '../../examples/document-parser.ts';
import { paragraphEngine } from '../../examples/knowledge-engine.ts';
import { engineContract } from './engine-contract.ts';
import { parserContract, parserFile } from './parser-contract.ts';

engineContract({ engine: paragraphEngine });

parserContract({
  parser: kitchenNotes,
  samples: [
    {
      file: parserFile('soup.kitchen', '* Soup\nTake water.\n', 'text/x-kitchen-notes'),
      expects: ({ blocks }) =>
        expect(blocks).toEqual([
          { type: 'heading', level: 1, text: 'Soup' },
          { type: 'paragraph', text: 'Take water.' },
        ]),
    },
  ],
  broken: [{ file: parserFile('picture.kitchen', '\0\0', 'text/x-kitchen-notes') }],
});

describe('the guide for authors', () => {
  it.each(['knowledge-engine', 'document-parser'])('shows the example as it is: %s', (name) => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(read('docs/knowledge-engines.md')).toContain(`\`\`\`ts\n${read(`examples/${name}.ts`)}\`\`\``);
  });
});
