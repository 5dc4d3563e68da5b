import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { Call } from '../../../testing/call.ts';
import { type FakeServer, refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { english, fill } from '../../../testing/texts.ts';
import type { Inspection } from './plugin-queries.ts';

const texts = english.plugins;
const digest = 'a'.repeat(64);
const fingerprint = 'f'.repeat(64);
let server: FakeServer;

const inspection = {
  manifest: {
    id: 'example/units',
    version: '1.2.0',
    label: { en_US: 'Unit converter' },
    description: { en_US: 'Converts units.' },
    contributes: { tools: [{ name: 'convert_units' }], listeners: [{ point: 'answer' }] },
    settings: { type: 'object', properties: { server: { 'x-label': { en_US: 'Rate server' } } } },
  },
  contributions: { tools: ['convert_units'], listeners: ['answer'] },
  permissions: [
    { kind: 'listeners', value: 'answer', text: 'Untranslated sentence.' },
    { kind: 'fetch_setting', value: 'server', text: 'Untranslated sentence.' },
    { kind: 'telepathy', value: '', text: 'Reads minds.' },
  ],
  signature: { algorithm: 'ed25519' as const, public_key: 'key', fingerprint },
  digest,
  size: 2048,
  unpacked_size: 4096,
  files: 3,
  differences: null,
} satisfies Inspection;

const endedTask = (exception: string | null, failure?: object) =>
  // Only what the page reads.
  ({
    id: 7,
    runtime: {
      done: true,
      state: 'FINISHED',
      exception,
      result: exception === null ? { id: 'example/units', version: '1.2.0', state: 'enabled' } : null,
    },
    task_context: { metadata: failure === undefined ? {} : { failure }, log: '', current_action: '' },
  }) as never;

beforeEach(() => {
  server = startFakeServer()
    .on('get', '/api/v1/plugins/isolation', { setting: 'best', isolation: 'landlock', without_plugins: false })
    .on('get', '/api/v1/pipelines', { pipelines: [] })
    .on('post', '/api/v1/plugins/inspect', { package: inspection })
    .on('post', '/api/v1/plugins/install/local', { task_id: 7 })
    .on(
      'get',
      '/api/v1/system/tasks/{id}',
      endedTask('it ended', { reason: 'plugin_crashed', response: null, hint: null }),
    );
});

const file = () => new File(['zip'], 'units.zip', { type: 'application/zip' });
async function choose() {
  await openConsole('/plugins/install', server);
  await userEvent.upload(await screen.findByLabelText(texts.chooseFile), file());
}
const button = (name: string) => screen.findByRole('button', { name });
const queries = () => server.callsTo('post', '/api/v1/plugins/install/local').map(({ query }: Call) => query);

it('a refused package names each entry, and another one may be chosen', async () => {
  const details = [
    { path: '../evil.js', message: 'its path leads elsewhere' },
    { path: 'main.node', message: 'is native code' },
  ];
  server.on('post', '/api/v1/plugins/inspect', refusal(422, 'plugin_invalid', { details }));
  await choose();
  await screen.findByText(fill(texts.refused, { file: 'units.zip' }));
  screen.getByText('../evil.js');
  screen.getByText('is native code');
  server.on('post', '/api/v1/plugins/inspect', { package: inspection });
  await userEvent.upload(screen.getByLabelText(texts.chooseFile), file());
  await screen.findByRole('heading', { name: texts.reviewTitle });
});

it('a dropped package is described before anything is installed, in words of the console', async () => {
  await openConsole('/plugins/install', server);
  const place = (await screen.findByText(texts.drop)).closest('[data-drop=package]');
  if (place === null) throw new Error('there is a place to drop');
  fireEvent.drop(place, { dataTransfer: { files: [file()] } });
  await screen.findByRole('heading', { name: texts.reviewTitle });
  screen.getByText(texts.may.see.answer);
  screen.getByText(texts.may.change.answer);
  screen.getByText(texts.stopsStreaming);
  screen.getByText(fill(texts.may.reach.setting, { value: 'Rate server' }));
  expect(screen.getByText('Reads minds.').getAttribute('lang')).toBe('en');
  expect(screen.queryByText('Untranslated sentence.')).toBeNull();
  screen.getByText(fingerprint);
  screen.getByText(`${texts.signature.signed} ${texts.signature.pinned}`);
  expect(queries()).toEqual([]);
});

it('it is installed with consent to exactly this package; why its start failed is shown', async () => {
  await choose();
  await userEvent.click(await button(texts.consentAndInstall));
  await screen.findByText(fill(texts.notInstalled, { name: 'Unit converter' }));
  screen.getByText(english.reasons.plugin_crashed);
  screen.getByText('it ended');
  expect(queries()).toEqual([{ digest, consent: 'true', enable: 'true' }]);
  await userEvent.click(screen.getByRole('switch', { name: texts.enableAtOnce }));
  await userEvent.click(await button(texts.consentAndInstall));
  await waitFor(() => expect(queries()[1]).toEqual({ digest, consent: 'true', enable: 'false' }));
});

it('it is installed without consent', async () => {
  await choose();
  await userEvent.click(await button(texts.installDisabled));
  await waitFor(() => expect(queries()).toEqual([{ digest }]));
});
