import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../factories/identity-provider.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill, pattern } from './texts.ts';

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
  await button(english.menu.label).click();
  await button(english.menu.signOut).click();
  await button(fill(english.identity.signInWith, { name: 'Example ID' })).waitFor();
}

test('the owner of an account links it', async () => {
  await visit.open('/account');
  await button(fill(english.identity.link, { name: 'Example ID' })).click();
  await visit.page.getByText(pattern(english.identity.linked)).waitFor();
  expect(new URL(visit.page.url()).search).toBe('');
  await visit.look('identity-linked');
});

test('the linked account signs in with the provider', async () => {
  await signOut();
  await visit.look('identity-sign-in');
  await button(fill(english.identity.signInWith, { name: 'Example ID' })).click();
  await visit.page.getByRole('heading', { name: english.dashboard.title }).waitFor();
  await visit.page.getByText('ada@example.org').first().waitFor();
});

test('an unknown identity becomes a member', async () => {
  await signOut();
  provider.person = { sub: 'mel', preferred_username: 'mel@example.org' };
  await visit.context.clearCookies({ domain: '127.0.0.1' });
  await button(fill(english.identity.signInWith, { name: 'Example ID' })).click();
  await visit.page.getByText('mel@example.org').first().waitFor();
  expect(await visit.page.getByRole('link', { name: english.navigation.accounts }).count()).toBe(0);
});

test('a rejection is shown, with a link back', async () => {
  await signOut();
  provider.person = null;
  await visit.context.clearCookies({ domain: '127.0.0.1' });
  await button(fill(english.identity.signInWith, { name: 'Example ID' })).click();
  await visit.page.getByText(english.reasons.identity_provider_failed).waitFor();
  await visit.look('identity-refused');
  await visit.page.getByRole('link', { name: english.reset.back }).click();
  await visit.page.getByRole('heading', { name: english.signIn.title }).waitFor();
});

test('the browser had nothing to complain about', () => {
  expect(visit.complaints.filter((text) => !/status of (401|502)/.test(text))).toEqual([]);
});
