import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

let visit: ConsoleVisit;
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  visit = await visitConsole();
}, 180_000);
afterAll(async () => {
  await visit?.close();
}, 30_000);

test('every page of the menu leads to its guide, without the network', async () => {
  const { page, network } = visit;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== network.address) elsewhere.push(request.url());
  });
  const menu = page.getByRole('navigation', { name: english.navigation.label }).getByRole('link');
  await expect.poll(() => menu.count()).toBeGreaterThan(10);
  const paths = await menu.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
  expect(paths).toContain('/guides');
  for (const path of paths.filter((one) => one !== '/guides')) {
    await visit.open(path);
    const link = page.locator('main').getByRole('link', { name: english.navigation.guide, exact: true });
    const address = await link.getAttribute('href');
    expect(address, path).toMatch(/^\/guides\/[\w-]+$/);
    await link.click();
    await page.waitForURL((url) => url.pathname === address);
    await page.getByRole('article').getByRole('heading', { level: 1 }).waitFor();
  }
  expect(elsewhere).toEqual([]);
  expect(visit.complaints).toEqual([]);
});

test('a guide opens by its address, at a heading, with its pictures and links', async () => {
  const { page } = visit;
  await visit.open('/guides');
  await visit.look('guides');
  for (const name of ['getting-started', 'platforms', 'pipeline', 'lark-zh']) {
    await visit.open(`/guides/${name}`);
    await visit.look(`guide-${name}`);
  }
  await visit.open('/guides/messages#requests-to-models');
  const top = () => page.locator('#requests-to-models').evaluate((heading) => heading.getBoundingClientRect().top);
  await expect.poll(top).toBeLessThan(100);
  await visit.open('/guides/pipeline-editor');
  const picture = page.getByRole('article').getByRole('img').first();
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);
  await page.locator('a[href$="/guides/messages#requests-to-models"]').click();
  await expect.poll(top).toBeLessThan(100);
  expect(visit.complaints).toEqual([]);
});
