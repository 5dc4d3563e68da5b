import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill, moreActions } from './texts.ts';

vi.setConfig({ testTimeout: 90_000 });

const password = 'a password that nobody guesses';
const mel = 'mel@example.org';

// One visit: the tests below are its steps and run in this order.
let visit: ConsoleVisit;
let uuid = '';
/** Requests of pages that the server refused for the role. */
const refused: string[] = [];
beforeAll(async () => {
  visit = await visitConsole();
  visit.page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
  });
}, 180_000);
afterAll(() => visit?.close());

const row = (user: string) => visit.page.getByRole('row').filter({ hasText: user });
const menu = async () => {
  await visit.page.getByRole('link', { name: english.navigation.reference }).waitFor();
  return visit.page.getByRole('navigation', { name: english.navigation.label }).getByRole('link').allTextContents();
};
const openMenu = (user: string) => visit.page.getByRole('button', { name: moreActions(user) }).click();
const setRole = (role: string) => visit.call('PUT', `/api/v1/accounts/${uuid}`, { role });

const { navigation } = english;
const pagesOfMembers = [
  ...[navigation.dashboard, navigation.messages, navigation.chat, navigation.bots, navigation.pipelines],
  ...[navigation.knowledge, navigation.plugins, navigation.account, navigation.reference, navigation.guides],
];

test('an admin makes an account, which is a member, and changes its role', async () => {
  const { page } = visit;
  await visit.open('/accounts');
  await page.getByRole('button', { name: english.accounts.new }).click();
  await page.getByLabel(english.account.user).fill(mel);
  await page.getByLabel(english.account.password, { exact: true }).fill(password);
  await page.getByLabel(english.account.repeatPassword).fill(password);
  await visit.look('accounts-new');
  await page.getByRole('button', { name: english.accounts.create }).click();
  await page.getByRole('heading', { name: fill(english.accounts.created, { name: mel }) }).waitFor();
  expect(await page.locator('[data-secret]').textContent()).toMatch(/^rk_/);
  await visit.look('accounts-created');
  await page.getByRole('button', { name: english.recovery.saved }).click();
  await row(mel).getByText(english.accounts.roles.member, { exact: true }).waitFor();

  await openMenu('ada@example.org');
  expect(await page.getByRole('menuitem', { name: english.accounts.makeMember }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await page.keyboard.press('Escape');
  const { makeAdmin, makeMember, roles } = english.accounts;
  for (const [action, role] of [
    [makeAdmin, roles.admin],
    [makeMember, roles.member],
  ] as const) {
    await openMenu(mel);
    await page.getByRole('menuitem', { name: action }).click();
    await row(mel).getByText(role, { exact: true }).waitFor();
  }
  await visit.look('accounts-roles');
  const { accounts } = await visit.call('GET', '/api/v1/accounts');
  uuid = accounts.find(({ user }: { user: string }) => user === mel).uuid;
});

test('a member sees no page that it may not use', async () => {
  const { page } = visit;
  await visit.open('/');
  await vi.waitFor(async () => expect(await menu()).toHaveLength(18), 10_000);
  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByRole('button', { name: english.menu.signOut }).click();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  await page.locator('input[autocomplete=username]').fill(mel);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.getByText(mel).first().waitFor();
  await vi.waitFor(async () => expect(await menu()).toEqual(pagesOfMembers), 10_000);
  await visit.look('member-dashboard');
  const id = '00000000-0000-7000-8000-000000000000';
  for (const path of [
    ...[
      '/models',
      '/models/providers/new',
      `/models/providers/${id}`,
      `/models/llm/${id}`,
      '/tools',
      '/tools/servers/new',
      '/plugins/install',
    ],
    ...[`/tools/servers/${id}`, '/api-keys', '/api-keys/new', '/webhooks', '/webhooks/new', '/webhooks/1', '/audit'],
    ...['/accounts', '/system', '/system?tab=logs', '/system?tab=settings', '/start', '/bots/new'],
  ]) {
    await page.goto(visit.network.address + path);
    await page.getByText(english.common.forAdmins).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(0);
  }
  expect(refused).toEqual([]);
});

test('a member sees no button that it may not use', async () => {
  const { page } = visit;
  const { bots } = await visit.call('GET', '/api/v1/platform/bots');
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  const base = await visit.call('POST', '/api/v1/knowledge/bases', {
    name: 'Handbook',
    knowledge_engine_plugin_id: 'parley/built-in',
  });
  const [bot, pipeline] = [bots[0], pipelines[0]];
  const { bots: ofBots, common } = english;
  const forAdmins = [
    ...[ofBots.new, ofBots.reconnect, ofBots.enabled, fill(ofBots.enable, { name: bot.name }), english.pipelines.new],
    ...[english.dashboard.empty.bot, english.startCard.open, common.save, common.delete],
  ];
  const controls = async () => [
    ...(await page.locator('#content').getByRole('button').all()),
    ...(await page.locator('#content').getByRole('switch').all()),
    ...(await page.locator('#content').getByRole('checkbox').all()),
    ...(await page.locator('#content').getByRole('textbox').all()),
  ];
  for (const path of ['/', '/bots', `/bots/${bot.uuid}`, `/bots/${bot.uuid}?tab=configuration`, '/pipelines']) {
    await visit.open(path);
    await page.waitForLoadState('networkidle');
    const names = await Promise.all((await controls()).map((control) => control.getAttribute('aria-label')));
    const texts = await page.locator('#content').getByRole('button').allTextContents();
    const links = await page.locator('#content').getByRole('link').allTextContents();
    const all = [...names.map((name) => name ?? ''), ...texts, ...links].map((text) => text.trim());
    expect(
      all.filter((name) => forAdmins.includes(name) || name.startsWith(common.moreActions)),
      path,
    ).toEqual([]);
  }
  await visit.open(`/bots/${bot.uuid}`);
  const tabs = [english.bots.log, english.bots.conversations, english.bots.send];
  await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(tabs);
  await visit.look('member-bot');

  await visit.open(`/pipelines/${pipeline.uuid}`);
  await page.getByRole('tab').first().waitFor();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    if ((await tab.textContent()) === english.pipelines.chat) continue;
    const panel = page.getByRole('tabpanel');
    await panel.waitFor();
    const editable = await panel.locator('input:enabled, textarea:enabled, select:enabled, button:enabled').count();
    expect(editable, (await tab.textContent()) ?? '').toBe(0);
  }
  expect(await page.getByRole('button', { name: english.common.save }).count()).toBe(0);
  await visit.look('member-pipeline');

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option', { name: english.navigation.bots }).waitFor();
  const offered = await page.getByRole('dialog').getByRole('option').allTextContents();
  expect(offered).toEqual(expect.arrayContaining([english.navigation.bots, english.palette.newBase]));
  const { newBot, newPipeline } = english.palette;
  for (const name of [navigation.models, navigation.apiKeys, newBot, newPipeline]) expect(offered).not.toContain(name);
  await page.keyboard.type('handbook');
  await page.getByRole('dialog').getByRole('option', { name: 'Handbook' }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Escape');

  // What it may do is there.
  await visit.open(`/knowledge/${base.uuid}?tab=settings`);
  await page.getByRole('button', { name: english.common.save }).waitFor();
  for (const path of ['/knowledge', '/knowledge/new', '/messages', '/chat', '/account']) {
    await visit.open(path);
    await page.waitForLoadState('networkidle');
  }
  expect(refused).toEqual([]);
});

test('a role that changes while the console is open changes the menu', async () => {
  await visit.open('/');
  await vi.waitFor(async () => expect(await menu()).toEqual(pagesOfMembers), 10_000);
  await setRole('admin');
  await visit.page.getByRole('link', { name: english.navigation.accounts }).waitFor();
  await visit.page.getByRole('link', { name: english.navigation.accounts }).click();
  await row(mel).waitFor();
  await setRole('member');
  await visit.page.getByText(english.common.forAdmins).waitFor();
  await vi.waitFor(async () => expect(await menu()).toEqual(pagesOfMembers), 10_000);
});

test('the browser had nothing to complain about', () => {
  // A page may ask once more when its account has signed out or lost its role.
  expect(visit.complaints.filter((text) => !/status of 40[13]/.test(text))).toEqual([]);
});
