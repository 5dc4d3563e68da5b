import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { makeStoragePlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { type ApiClient, answerOf, signedIn } from './api-client.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const extensions = [
  './words-runner',
  './signature-stage',
  'a-package',
  './broken',
  './clash',
  './old',
  './nothing',
  './missing',
];

let place: StoragePlace;
/** Outside of the checkout, with the file of the settings. */
let folder: string;
let service: ServiceProcess | undefined;
beforeEach(async () => {
  place = await makeStoragePlace('sqlite');
  folder = join(place.dataDir, 'settings');
  for (const name of ['words-runner', 'signature-stage'])
    cpSync(join(examples, name), join(folder, name), { recursive: true });
  const write = (path: string, content: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  write(
    'node_modules/a-package/package.json',
    JSON.stringify({ name: 'a-package', type: 'module', exports: './main.js' }),
  );
  write(
    'node_modules/a-package/main.js',
    `import { ParleyError } from '@parley/sdk';
     const answer = async function* () { throw new ParleyError('quota', 'Used up'); };
     export default { sdk: '*', runners: [{ name: 'packaged', label: { en_US: 'Packaged' }, answer }] };`,
  );
  write('broken/index.ts', "throw new Error('It is broken');");
  write(
    'clash/index.ts',
    "const stage = { name: 'split', label: { en_US: 'Split' }, answer: () => null };\nexport default { sdk: '*', stages: [stage] };",
  );
  write('old/index.ts', "export default { sdk: '<0.0.1', runners: [] };");
  write('nothing/readme.txt', '');
});
afterEach(async () => {
  await service?.stop();
  await place.remove();
});

async function start(list: readonly string[]): Promise<ApiClient> {
  await service?.stop();
  const file = join(folder, 'parley.yaml');
  writeFileSync(file, `extensions: ${JSON.stringify(list)}\n`);
  const environment = { PARLEY_CONFIG_FILE: file, PARLEY_LOG_LEVEL: 'fatal' };
  service = await startServiceProcess({ dataDir: place.dataDir, environment });
  return signedIn(service.address);
}

it('are loaded by the setting, used by pipelines, taken out and put back', { timeout: 60_000 }, async () => {
  let api = await start(extensions);
  const shown = (await api.data('GET', '/system/status')).extensions;
  expect(shown).toMatchObject([
    { source: './words-runner', is_loaded: true, error: null, provides: ['runner words'] },
    { source: './signature-stage', is_loaded: true, provides: ['stage signature'] },
    { source: 'a-package', is_loaded: true, provides: ['runner packaged'] },
    { source: './broken', is_loaded: false, error: 'It is broken', provides: [] },
    { source: './clash', is_loaded: false, error: expect.stringContaining('the name split') },
    { source: './old', is_loaded: false, error: expect.stringContaining('<0.0.1') },
    { source: './nothing', is_loaded: false, error: expect.stringContaining('index.ts') },
    { source: './missing', is_loaded: false, error: expect.stringContaining('no file or folder') },
  ]);

  const { configs } = await api.data('GET', '/pipelines/_/metadata');
  const groups = configs.flatMap((tab: { stages: { name: string }[] }) => tab.stages);
  const named = (name: string) => groups.find((group: { name: string }) => group.name === name);
  expect(named('words').config[0]).toMatchObject({ name: 'text', label: { en_US: 'Text' }, default: '' });
  expect(named('signature').config[0]).toMatchObject({ name: 'text', label: { ja_JP: '文' } });
  expect(named('runner').config[0].options).toContainEqual({ name: 'words', label: expect.anything() });

  const ai = { runner: { runner: 'words' }, words: { text: 'You said {text}.', pause: 1 } };
  const config = { ai, output: { signature: { text: 'Yours, Parley' } } };
  const { uuid } = await api.data('POST', '/pipelines', { name: 'Extended', config });
  expect(await answerOf(api, uuid, 'hello')).toBe('You said hello.\n\nYours, Parley');
  await api.data('PUT', `/pipelines/${uuid}`, { config: { ...config, ai: { runner: { runner: 'packaged' } } } });
  expect(await answerOf(api, uuid, 'hello')).toContain('Request failed.');
  await api.data('PUT', `/pipelines/${uuid}`, { config });

  api = await start([]);
  const { pipeline } = await api.data('GET', `/pipelines/${uuid}`);
  expect(pipeline.config.ai.words).toEqual(ai.words);
  expect(pipeline.config.output.signature).toEqual({ text: 'Yours, Parley' });
  await api.data('PUT', `/pipelines/${uuid}`, { config: pipeline.config });
  expect(await answerOf(api, uuid, 'hello')).toBe('Request failed.');
  const { messages } = await api.data('GET', '/messages?limit=10');
  expect(messages.some(({ reason }: { reason: string }) => reason === 'runner_not_found')).toBe(true);
  const other = (await api.data('GET', '/pipelines')).pipelines.find((each: { uuid: string }) => each.uuid !== uuid);
  expect(await answerOf(api, other.uuid, 'hello')).not.toBe('Request failed.');

  api = await start(extensions.slice(0, 2));
  expect(await answerOf(api, uuid, 'hello')).toBe('You said hello.\n\nYours, Parley');
});
