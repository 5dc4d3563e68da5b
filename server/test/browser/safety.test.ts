import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { openChat } from '../end-to-end/api-client.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { auditAction } from './texts.ts';

const hostile =
  'Look <img src=x onerror="window.attacked=1"> <script>window.attacked=2</script> <svg onload="window.attacked=3"> [go](javascript:window.attacked=4)';
const hostileName = '<img src=x onerror="window.attacked=5">';

// One visit: the tests are its steps and run in this order.
let visit: ConsoleVisit;
/** Another site, which the same person looks at in the same browser. */
let site: Server;
let elsewhere: Page;
let pipeline: string;
vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  visit = await visitConsole();
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title><p>Elsewhere');
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  elsewhere = await visit.context.newPage();
  await elsewhere.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  pipeline = (await visit.call('GET', '/api/v1/pipelines')).pipelines[0].uuid;
}, 120_000);
afterAll(async () => {
  await visit?.close();
  site?.closeAllConnections();
  site?.close();
}, 30_000);

const attacked = () => visit.page.evaluate(() => (window as { attacked?: number }).attacked);

test.each(['/', '/docs', '/api/v1/system/info'])('another site cannot frame %s', async (path) => {
  const answered = elsewhere.waitForResponse((response) => response.url() === visit.network.address + path);
  await elsewhere.evaluate((address) => {
    document.body.innerHTML = '<iframe></iframe>';
    (document.querySelector('iframe') as HTMLIFrameElement).src = address;
  }, visit.network.address + path);
  expect((await answered).status()).toBe(200);
  // The browser shows a page of its own instead.
  await expect.poll(() => elsewhere.frames()[1]?.url()).toMatch(/^chrome-error:/);
  await elsewhere.evaluate(() => document.querySelector('iframe')?.remove());
});

/** The cookie of the browser's session. */
async function sessionCookie() {
  const [cookie, ...others] = await visit.context.cookies(visit.network.address);
  if (cookie === undefined || others.length > 0) throw new Error('there is not one cookie');
  return cookie;
}

test('scripts of the console cannot read the session', async () => {
  const { page } = visit;
  const { name, value, httpOnly, sameSite, expires } = await sessionCookie();
  expect({ httpOnly, sameSite }).toEqual({ httpOnly: true, sameSite: 'Strict' });
  // It outlives the browser.
  expect(expires * 1000).toBeGreaterThan(Date.now() + 86_400_000);
  const readable = await page.evaluate(() => JSON.stringify([document.cookie, localStorage, sessionStorage]));
  expect(readable).not.toContain(name);
  expect(readable).not.toContain(value);
  const answer = await page.evaluate(async () => {
    const headers = { 'x-parley-console': '1' };
    return await (await fetch('api/v1/user/check-token', { headers })).json();
  });
  expect(answer.data).toEqual({ token: '' });
});

test('a token of an earlier version is removed from the browser', async () => {
  const { page } = visit;
  await page.evaluate(() => localStorage.setItem('token', 'a token of an earlier version'));
  await visit.open('/audit');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('a browser with only the cookie is still signed in', async () => {
  const { page } = visit;
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${visit.network.address}/audit?kind=session`);
  await page.getByRole('heading', { name: english.navigation.audit }).waitFor();
  expect(new URL(page.url()).search).toBe('?kind=session');
});

test('a link to the sign-in page leads to no other site', async () => {
  const { page, network } = visit;
  const { href, host } = new URL(elsewhere.url());
  for (const place of [href, `//${host}/`, `/\\${host}/`]) {
    await page.goto(`${network.address}/sign-in?to=${encodeURIComponent(place)}`);
    await page.getByRole('heading', { name: english.dashboard.title }).waitFor();
    expect(page.url()).toBe(`${network.address}/`);
  }
});

test('another site reaches neither the API nor the streams with the cookie', async () => {
  const { name, value } = await sessionCookie();

  // Ports do not divide sites, so the browser does send the cookie along from there.
  const seen = await elsewhere.evaluate(
    async ({ address, path }) => {
      const send = (way: string, init: RequestInit) =>
        fetch(address + way, { credentials: 'include', ...init }).then(
          () => 'read',
          () => 'refused',
        );
      const opens = (make: () => EventSource | WebSocket) =>
        new Promise<string>((resolve) => {
          const stream = make();
          stream.onopen = () => resolve('open');
          stream.onerror = () => resolve('refused');
        });
      await send('/api/v1/user/sign-out', { method: 'POST', mode: 'no-cors' });
      const headers = { 'x-parley-console': '1' };
      return {
        read: await send('/api/v1/user/info', {}),
        readAsConsole: await send('/api/v1/user/info', { headers }),
        signOut: await send('/api/v1/user/sign-out', { method: 'POST', headers }),
        write: await send('/api/v1/platform/bots', { method: 'POST', headers: { 'content-type': 'application/json' } }),
        events: await opens(() => new EventSource(`${address}/api/v1/events`, { withCredentials: true })),
        socket: await opens(() => new WebSocket(`${address.replace('http', 'ws')}${path}`)),
      };
    },
    { address: visit.network.address, path: `/api/v1/pipelines/${pipeline}/ws/connect?session_type=person` },
  );
  expect(new Set(Object.values(seen))).toEqual(new Set(['refused']));

  // What the server itself says to the cookie alone: yes to its own pages and only for the streams.
  const ask = async (path: string, origin: string, more = {}) => {
    const ending = new AbortController();
    const headers = { cookie: `${name}=${value}`, origin, ...more };
    const { status } = await fetch(visit.address + path, { headers, signal: ending.signal });
    ending.abort();
    return status;
  };
  expect(await ask('/api/v1/events', visit.address)).toBe(200);
  expect(await ask('/api/v1/events', new URL(elsewhere.url()).origin)).toBe(401);
  expect(await ask('/api/v1/events', 'null')).toBe(401);
  expect(await ask('/api/v1/user/info', visit.address)).toBe(401);
  // The forged sign-out did nothing.
  expect(await ask('/api/v1/user/info', visit.address, { 'x-parley-console': '1' })).toBe(200);
});

test.runIf(looksClosely)('script in names, messages and documents does not run on any page', async () => {
  const { call, page } = visit;
  const bot = await call('POST', '/api/v1/platform/bots', {
    name: hostileName,
    description: hostile,
    adapter: 'websocket',
    adapter_config: {},
    use_pipeline_uuid: pipeline,
    enable: true,
  });
  const copy = await call('POST', '/api/v1/pipelines', { name: hostileName, description: hostile.slice(0, 200) });
  const base = await call('POST', '/api/v1/knowledge/bases', {
    name: hostileName,
    description: hostile,
    knowledge_engine_plugin_id: 'parley/built-in',
  });
  await call('POST', '/api/v1/apikeys', { name: hostileName, description: hostile, scopes: ['read'] });
  const authorization = `Bearer ${visit.token}`;
  const form = new FormData();
  form.set('file', new Blob([`# ${hostile}\n\n${hostile}\n`]), '<img src=x onerror=window.attacked=6>.md');
  const uploaded = await fetch(`${visit.address}/api/v1/files/documents`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const { data } = (await uploaded.json()) as { data: { file_id: string } };
  const { files } = await call('POST', `/api/v1/knowledge/bases/${base.uuid}/files`, { file_id: data.file_id });
  const chat = await openChat(visit.address, { pipeline, headers: { authorization } });
  chat.say(hostile);
  await chat.answer('Look');
  await chat.close();

  const { messages } = await call('GET', '/api/v1/messages');
  const pages = [
    '/',
    '/chat',
    '/bots',
    `/bots/${bot.uuid}`,
    '/pipelines',
    `/pipelines/${copy.uuid}`,
    '/knowledge',
    `/knowledge/${base.uuid}`,
    `/knowledge/${base.uuid}/files/${files[0].uuid}`,
    '/messages',
    `/messages/${messages[0].uuid}`,
    '/api-keys',
    '/audit',
    '/audit?entry=4',
    '/system?tab=tasks',
    '/system?tab=logs',
  ];
  const before = visit.complaints.length;
  const shown: string[] = [];
  for (const path of pages) {
    await page.goto(visit.network.address + path);
    await page.locator('#content').waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(await attacked(), path).toBeUndefined();
    expect(
      await page.locator('img[src="x"], main script, [onerror], [onload], a[href^="javascript"]').count(),
      path,
    ).toBe(0);
    if ((await page.locator('body').innerText()).includes('<img src=x')) shown.push(path);
  }
  // Shown as the text that it is.
  expect(shown).toEqual(expect.arrayContaining(['/chat', '/bots', '/audit']));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: english.palette.title }).fill(hostileName);
  await page.getByRole('option', { name: hostileName }).first().waitFor();
  expect(await attacked()).toBeUndefined();
  await page.keyboard.press('Escape');
  expect(visit.complaints.slice(before).filter((text) => /content security policy/i.test(text))).toEqual([]);
});

test.runIf(looksClosely)('a lost connection is shown, and the page stays usable', async () => {
  const { page, network } = visit;
  await visit.open('/audit');
  const row = page.getByRole('button', { name: auditAction('api-key', 'create') });
  await row.waitFor();
  network.break();
  await page.getByText(english.common.lost).waitFor();
  expect(await row.isVisible()).toBe(true);
  network.mend();
  await page.getByText(english.common.lost).waitFor({ state: 'detached' });
  await row.waitFor();
});

test('signing out while the server cannot be reached says so, since only the server can end the session', async () => {
  const { page, network } = visit;
  await visit.open('/audit');
  network.break();
  await page.getByRole('button', { name: english.menu.label }).click();
  await page.getByRole('button', { name: english.menu.signOut }).click();
  await page.getByText(english.errors.unreachable).waitFor();
  network.mend();
  await page.reload();
  await page.getByRole('heading', { name: english.navigation.audit }).waitFor();
});

test('a session that is over leads to the sign-in page, and back to where one was', async () => {
  const { page, context } = visit;
  const bot = {
    name: 'Front desk',
    adapter: 'websocket',
    adapter_config: {},
    use_pipeline_uuid: pipeline,
    enable: false,
  };
  await visit.call('POST', '/api/v1/platform/bots', bot);
  await visit.open('/audit?kind=bot');
  // What the page loads by itself is loaded: a refusal of it would be shown before the reload.
  await page.getByRole('complementary').getByText('ada@example.org').first().waitFor();
  await page
    .getByRole('button', { name: auditAction('bot', 'create') })
    .first()
    .waitFor();
  const { value } = await sessionCookie();
  const { data } = (await (
    await fetch(`${visit.address}/api/v1/user/sessions`, { headers: { authorization: `Bearer ${value}` } })
  ).json()) as { data: { sessions: { uuid: string; current: boolean }[] } };
  const current = data.sessions.find((session) => session.current);
  await visit.call('DELETE', `/api/v1/user/sessions/${current?.uuid}`);
  await page.reload();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  await page.getByText(english.signIn.expired).waitFor();
  await page.getByLabel(english.account.user).fill('ada@example.org');
  await page.getByLabel(english.account.password, { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: english.signIn.submit }).click();
  await page.waitForURL(/\/audit\?kind=bot$/);
  await page.getByRole('heading', { name: english.navigation.audit }).waitFor();
  expect(context.pages()).toContain(page);
});
