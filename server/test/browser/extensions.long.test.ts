import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signature } from '../../../examples/signature-stage/index.ts';
import { words } from '../../../examples/words-runner/index.ts';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

vi.setConfig({ testTimeout: 60_000 });

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const missing = join(examples, 'no-such-folder');
const sources = [join(examples, 'words-runner'), join(examples, 'signature-stage'), missing];

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
beforeAll(async () => {
  visit = await visitConsole({ environment: { PARLEY_EXTENSIONS: sources.join(',') } });
}, 180_000);
afterAll(() => visit?.close());

test('the system page says what is loaded, and why something is not', async () => {
  await visit.open('/system');
  const list = visit.page.locator('dl').filter({ hasText: 'words-runner' });
  await list.getByText(english.systemPage.notLoaded).waitFor();
  const shown = await list.innerText();
  expect(shown).toContain(`runner ${words.name}`);
  expect(shown).toContain(`stage ${signature.name}`);
  expect(shown).toContain(`there is no file or folder ${missing}`);
  await visit.look('extensions');
});

test('a pipeline has the fields of a runner and of a stage, with their labels', async () => {
  const config = { ai: { runner: { runner: 'words' }, words: { text: 'You said {text}.' } } };
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Fixed answers', config });
  await visit.open(`/pipelines/${uuid}?tab=ai`);
  expect(await visit.page.getByLabel('Text', { exact: true }).inputValue()).toBe('You said {text}.');
  await visit.page.getByText('Milliseconds between two words.').waitFor();
  await visit.look('extensions-runner');
  await visit.open(`/pipelines/${uuid}?tab=output`);
  await visit.page.getByText('Added below every answer.').waitFor();
  await visit.look('extensions-stage');
});
