import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kitchenNotes } from '../../examples/document-parser.ts';
import { paragraphEngine } from '../../examples/knowledge-engine.ts';
import { relay } from '../../examples/relay-platform/index.ts';
import { signature } from '../../examples/signature-stage/index.ts';
import { words } from '../../examples/words-runner/index.ts';
import { engineContract } from './engine-contract.ts';
import { startFakeRelay } from './fake-relay.ts';
import { parserContract, parserFile } from './parser-contract.ts';
import { platformContract } from './platform-contract.ts';
import { runnerContract } from './runner-contract.ts';
import { stageContract } from './stage-contract.ts';

engineContract({ engine: paragraphEngine });

let fakeRelay: Awaited<ReturnType<typeof startFakeRelay>>;
beforeAll(async () => {
  fakeRelay = await startFakeRelay();
});
afterAll(() => fakeRelay.close());

platformContract({ platform: relay, config: () => fakeRelay.config(), network: async () => fakeRelay });

runnerContract({ runner: words, config: () => ({ text: 'Good day, {sender_name}. {unknown}', pause: 1 }) });

stageContract({ stage: signature, contexts: [{}, { config: { output: { signature: { text: 'Yours, Parley' } } } }] });

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
