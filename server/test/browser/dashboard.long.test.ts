import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { openChat } from '../end-to-end/api-client.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

let visit: ConsoleVisit;
vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  visit = await visitConsole();
}, 120_000);
afterAll(() => visit?.close(), 30_000);

const search = () => new URL(visit.page.url()).searchParams;
/** What stands beside the name of a figure. */
const figure = (name: string) => visit.page.locator('dl > div', { has: visit.page.getByText(name, { exact: true }) });

/** Says something to the bot that every installation has, and waits until something comes back. */
async function say(text: string) {
  const { bots } = await visit.call('GET', '/api/v1/platform/bots');
  const chat = await openChat(visit.address, {
    pipeline: bots[0].use_pipeline_uuid,
    headers: { authorization: `Bearer ${visit.token}` },
  });
  chat.say(text);
  await chat.answer();
  await chat.close();
}

test('a new service says how to begin, and its first load is small', async () => {
  const sizes = new Map<string, number>();
  visit.page.on('response', async (response) => {
    if (!/\.js(\?|$)/.test(response.url())) return;
    sizes.set(response.url(), 0);
    sizes.set(response.url(), gzipSync(await response.body()).length);
  });
  await visit.open('/');
  await visit.page.getByRole('heading', { name: english.dashboard.empty.title }).waitFor();
  await visit.page.getByRole('region', { name: english.startCard.title }).waitFor();
  await expect.poll(() => sizes.size > 0 && [...sizes.values()].every((size) => size > 0)).toBe(true);
  // What is heavy is loaded when it is shown.
  expect([...sizes.keys()].filter((url) => /series-chart|markdown|recharts/.test(url))).toEqual([]);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(180_000);
  visit.page.removeAllListeners('response');
  await visit.look('dashboard-empty');
});

test('figures follow what happens while one looks', async () => {
  await say('How is it going?');
  await figure(english.dashboard.figures.received).getByText('1', { exact: true }).waitFor();
  await figure(english.dashboard.figures.sent).getByText('1', { exact: true }).waitFor();
  await figure(english.dashboard.figures.success).getByText('100%').waitFor();
  await figure(english.dashboard.figures.errors).getByText('0', { exact: true }).waitFor();
  await say('And now?');
  await figure(english.dashboard.figures.received).getByText('2', { exact: true }).waitFor();
  await figure(english.dashboard.figures.received).getByText(english.dashboard.change.new).waitFor();
  // The demo model has no price, so no cost is shown.
  await figure(english.dashboard.figures.cost).getByText(english.dashboard.figures.noPrice).waitFor();
  await visit.call('PUT', '/api/v1/provider/model-prices/demo', { input_price: 1000, output_price: 1000 });
  await say('Once more');
  await visit.page.reload();
  await expect
    .poll(async () => Number(await figure(english.dashboard.figures.cost).locator('dd > span').first().textContent()))
    .toBeGreaterThan(0);
  await visit.page
    .getByRole('table', { name: english.dashboard.bots.title })
    .getByText(english.botStates.running)
    .waitFor();
  await visit.page
    .getByRole('table', { name: english.dashboard.models.title })
    .getByText('demo', { exact: true })
    .waitFor();
});

test('a figure is drawn over time, told apart, and told as a table; the address says what is looked at', async () => {
  await visit.page.locator('.series-chart svg').first().waitFor();
  await visit.look('dashboard');
  await visit.page.getByLabel(english.dashboard.series.what).selectOption('tokens');
  await visit.page.getByLabel(english.dashboard.series.by).selectOption('model');
  await visit.page.getByLabel(english.timeRange.label, { exact: true }).selectOption('7d');
  await visit.page.getByText(english.dashboard.series.asTable).click();
  const table = visit.page.getByRole('table', { name: english.dashboard.charts.tokens });
  await table.getByRole('columnheader', { name: 'demo' }).waitFor();
  const cells = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(Number(cells[0])).toBeGreaterThan(0);
  expect(Object.fromEntries(search())).toEqual({ chart: 'tokens', by: 'model', range: '7d' });
  await visit.look('dashboard-table');
  await visit.page.reload();
  await visit.page.getByLabel(english.dashboard.series.by).waitFor();
  expect(await visit.page.getByLabel(english.dashboard.series.by).inputValue()).toBe('model');
  await visit.page.getByLabel(english.dashboard.series.what).selectOption('latency');
  await visit.page.locator('.series-chart circle').first().waitFor();
  expect(await visit.page.getByLabel(english.dashboard.series.by).inputValue()).toBe('');
});

test('a range of one’s own without anything in it says so', async () => {
  await visit.open('/?range=own&from=2020-01-01T00:00:00.000Z&to=2020-01-03T00:00:00.000Z');
  await figure(english.dashboard.figures.received).getByText('0', { exact: true }).waitFor();
  await figure(english.dashboard.figures.success).getByText(english.dashboard.figures.nothing).waitFor();
  await visit.page.getByText(english.dashboard.series.nothing).waitFor();
  await visit.look('dashboard-own-range');
});

test('an error is listed and links to its message', async () => {
  await visit.open('/');
  await visit.page.getByText(english.dashboard.errors.none).waitFor();
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  const { pipeline } = await visit.call('GET', `/api/v1/pipelines/${pipelines[0].uuid}`);
  pipeline.config.ai['local-agent'].model = { primary: '', fallbacks: [] };
  await visit.call('PUT', `/api/v1/pipelines/${pipelines[0].uuid}`, { config: pipeline.config });
  await say('Is anybody there?');
  const error = visit.page.getByRole('link', { name: english.reasons.model_not_configured });
  await error.waitFor();
  await visit.look('dashboard-error');
  await error.click();
  await visit.page.getByRole('heading', { name: english.messages.story.way }).waitFor();
  await visit.page.getByText('Is anybody there?').waitFor();
});

test('the browser had nothing to complain about', () => {
  expect(visit.complaints).toEqual([]);
});
