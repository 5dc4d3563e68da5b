import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { renderInConsole } from '../../../testing/render.tsx';
import { english, fill } from '../../../testing/texts.ts';
import { SchemaForm } from '../forms/schema-form.tsx';
import type { Adapter } from './bot-queries.ts';
import { ConnectionTest } from './connection-test.tsx';
import { SetupSteps } from './setup-steps.tsx';

const texts = english.bots;
const adapter: Adapter = {
  name: 'fake',
  label: { en_US: 'Fake' },
  description: { en_US: 'Fake' },
  icon: 'fake.svg',
  spec: {
    categories: [],
    help_links: {},
    setup_steps: [{ en_US: 'Make a **bot**.' }, { en_US: 'Copy its token.' }],
    config: [
      { name: 'token', label: { en_US: 'Token' }, type: 'string', required: true },
      { name: 'server', label: { en_US: 'Endpoint' }, type: 'string', required: true, default: '', advanced: true },
    ],
    testable: true,
  },
};
type Findings = { level: 'error' | 'warning'; field?: string; text: { en_US: string } }[];

type Account = { account_id: string; account_name: string | null };
const parrot: Account = { account_id: '5', account_name: '@parrot' };

async function tested(
  findings: Findings,
  { account = parrot, refused }: { account?: Account; refused?: ReturnType<typeof refusal> } = {},
) {
  const server = startFakeServer();
  const answer = refused ?? { ...account, findings };
  server.on('post', '/api/v1/platform/adapters/{adapter_name}/test', answer);
  await renderInConsole(
    <>
      <SchemaForm
        fields={adapter.spec.config}
        value={{}}
        onChange={() => {}}
        typed={{ texts: {}, setText: () => {} }}
        path="adapter_config"
      />
      <ConnectionTest adapter={adapter} config={{}} requireValues={() => {}} />
    </>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: texts.test }));
  return user;
}

it('a connection test without findings tells the account', async () => {
  await tested([]);
  await screen.findByText(fill(texts.testWorks, { account: '@parrot' }));
  expect(screen.queryByRole('listitem')).toBeNull();
});

it('a connection test that asks nobody names no account', async () => {
  await tested([], { account: { account_id: '', account_name: null } });
  await screen.findByText(texts.testUnconnected);
  expect(screen.queryByText(/null|undefined/)).toBeNull();
});

it('a finding leads to the field that it is about, also a folded one', async () => {
  const user = await tested([
    { level: 'error', field: 'server', text: { en_US: 'Wrong server' } },
    { level: 'warning', field: 'unknown', text: { en_US: 'No picture' } },
  ]);
  await screen.findByText(fill(texts.testFinds, { account: '@parrot' }));
  expect(screen.queryByText(fill(texts.testWorks, { account: '@parrot' }))).toBeNull();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(`${texts.findingLevels.error}: Wrong server`),
    `${texts.findingLevels.warning}: No picture`,
  ]);
  await user.click(screen.getByRole('button', { name: fill(texts.findingField, { field: 'Endpoint' }) }));
  expect(document.activeElement).toBe(screen.getByLabelText('Endpoint'));
  expect(document.querySelector('details')?.open).toBe(true);
});

it('warnings leave it that the connection works', async () => {
  await tested([{ level: 'warning', text: { en_US: 'No picture' } }]);
  await screen.findByText(fill(texts.testWorks, { account: '@parrot' }));
  await screen.findByText(/No picture/);
});

it('set-up steps are numbered, with their formatting', async () => {
  await renderInConsole(<SetupSteps adapter={adapter} />);
  expect((await screen.findByText('bot')).tagName).toBe('STRONG');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Make a bot.',
    'Copy its token.',
  ]);
});

it('links and code in findings are shown as such', async () => {
  await tested([
    { level: 'error', text: { en_US: 'Allow `im:message` there: https://discord.com/oauth2/authorize?client_id=1' } },
  ]);
  expect((await screen.findByRole('link')).getAttribute('href')).toBe(
    'https://discord.com/oauth2/authorize?client_id=1',
  );
  expect(screen.getByText('im:message').tagName).toBe('CODE');
});

it('a refused configuration leads to the field that is at fault', async () => {
  const message = 'The address is missing.';
  const user = await tested([], {
    refused: refusal(400, 'invalid_request', { details: [{ path: 'adapter_config.server', message }] }),
  });
  expect((await screen.findByRole('alert')).textContent).toContain(message);
  await user.click(screen.getByRole('button', { name: fill(texts.findingField, { field: 'Endpoint' }) }));
  expect(document.activeElement).toBe(screen.getByLabelText('Endpoint'));
});
