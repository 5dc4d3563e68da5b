import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from '../factories/identity-provider.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

vi.setConfig({ testTimeout: 60_000 });

// One visit: the tests below are its steps and run in this order.
let provider: TestIdentityProvider;
let visit: ConsoleVisit;
beforeAll(async () => {
  provider = await startIdentityProvider();
  visit = await visitConsole({
    environment: {
      PARLEY_OIDC_ISSUER: provider.issuer,
      PARLEY_OIDC_CLIENT_ID: provider.clientId,
      PARLEY_OIDC_CLIENT_SECRET: provider.clientSecret,
      PARLEY_OIDC_NAME: 'Example ID',
      PARLEY_OIDC_CREATE_ACCOUNTS: 'true',
    },
  });
  provider.sendBackTo([`${visit.network.address}/sign-in/oidc`]);
}, 180_000);
afterAll(async () => {
  await visit?.close();
  await provider?.stop();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

async function signOut(): Promise<void> {
  await visit.open('/');
  await button('Account and settings').click();
  await button('Sign out').click();
  await button('Continue with Example ID').waitFor();
}

test('the owner of an account links it', async () => {
  await visit.open('/account');
  await button('Link with Example ID').click();
  await visit.page.getByText('Linked since').waitFor();
  expect(new URL(visit.page.url()).search).toBe('');
  await visit.look('identity-linked');
});

test('the linked account signs in with the provider', async () => {
  await signOut();
  await visit.look('identity-sign-in');
  await button('Continue with Example ID').click();
  await visit.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit.page.getByText('ada@example.org').first().waitFor();
});

test('somebody whom nobody knows becomes a member', async () => {
  await signOut();
  provider.person = { sub: 'mel', preferred_username: 'mel@example.org' };
  await visit.context.clearCookies({ domain: '127.0.0.1' });
  await button('Continue with Example ID').click();
  await visit.page.getByText('mel@example.org').first().waitFor();
  expect(await visit.page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
});

test('a refusal is told, with the way back', async () => {
  await signOut();
  provider.person = null;
  await visit.context.clearCookies({ domain: '127.0.0.1' });
  await button('Continue with Example ID').click();
  await visit.page.getByText('The identity provider could not be reached').waitFor();
  await visit.look('identity-refused');
  await visit.page.getByRole('link', { name: 'Back to sign in' }).click();
  await visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the browser had nothing to complain about', () => {
  expect(visit.complaints.filter((text) => !/401|502/.test(text))).toEqual([]);
});
