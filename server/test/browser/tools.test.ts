import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type FakeCall, type FakeMcpServer, startFakeMcp } from '../../src/mcp/testing/fake-mcp-server.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill } from './texts.ts';

// One visit: the tests are its steps and run in this order.
let visit: ConsoleVisit;
let server: FakeMcpServer;
vi.setConfig({ testTimeout: 60_000 });

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Name of the city' },
    days: { type: 'integer', default: 3 },
    unit: { enum: ['celsius', 'kelvin'], type: 'string' },
    exact: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { lat: { type: 'number' } } },
    points: { type: 'array', items: { type: 'object' } },
  },
  required: ['city'],
};
const loginSchema = {
  type: 'object',
  properties: {
    logins: { type: 'array', items: { type: 'object', properties: { password: { type: 'string', writeOnly: true } } } },
  },
};
const received: unknown[] = [];
const signals: AbortSignal[] = [];
const calls: Record<string, FakeCall> = {
  weather: (parameters) => {
    received.push(parameters);
    return {
      content: [
        { type: 'text', text: '{"sky":"<b>clear</b>"}' },
        { type: 'image', data: dot, mimeType: 'image/png' },
      ],
    };
  },
  hang: (_, { signal }) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  },
  broken: () => ({ content: [{ type: 'text', text: 'no such city' }], isError: true }),
};

beforeAll(async () => {
  server = await startFakeMcp(calls);
  server.setPages([
    [
      { name: 'weather', description: 'The weather of the next days.', inputSchema: schema },
      { name: 'hang', inputSchema: { type: 'object' } },
      { name: 'broken', inputSchema: { type: 'object' } },
      { name: 'sign-in', inputSchema: loginSchema },
    ],
  ]);
  visit = await visitConsole();
}, 120_000);
afterAll(async () => {
  await visit?.close();
  await server?.close();
}, 30_000);

const runOf = (name: string) => {
  const title = fill(english.tools.runTool, { name });
  return {
    open: () => visit.page.getByRole('button', { name: `${english.tools.openRun}: ${name}` }).click(),
    panel: visit.page.getByRole('region', { name: title }),
  };
};

test('a tool is run with a form made from its schema; its result is text and images', async () => {
  const { page } = visit;
  const { uuid } = await visit.call('POST', '/api/v1/mcp/servers', {
    name: 'weather',
    mode: 'http',
    enable: true,
    extra_args: { url: server.url },
  });
  await visit.open(`/tools/servers/${uuid}`);
  await page.getByText(english.tools.states.connected, { exact: true }).waitFor();
  const { open, panel } = runOf('weather');
  await open();
  await panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  // What is missing stands at its field.
  await expect.poll(() => panel.getByLabel('city').getAttribute('aria-invalid')).toBe('true');
  await panel.getByLabel('city').fill('Ulm');
  await panel.getByLabel('unit').selectOption('kelvin');
  await panel.getByLabel('tags').fill('rain\nwind');
  await panel.getByLabel('lat').fill('48.4');
  await panel.getByLabel('points').fill('[{"x":');
  await panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  await panel.getByRole('button', { name: `points: ${english.fieldRules.unfinished}` }).waitFor();
  expect(received).toEqual([]);
  await page.reload();
  await page.getByText(english.tools.states.connected, { exact: true }).waitFor();
  await open();
  expect(await panel.getByLabel('points').inputValue()).toBe('[{"x":');
  await panel.getByText(english.common.invalidJson).waitFor();
  await panel.getByLabel('points').fill('[{"x":1}]');
  await page.reload();
  await page.getByText(english.tools.states.connected, { exact: true }).waitFor();
  await open();
  expect(await panel.getByLabel('city').inputValue()).toBe('Ulm');
  await panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  await panel.getByText('"sky": "<b>clear</b>"').waitFor();
  await panel.getByRole('img', { name: fill(english.tools.resultImage, { number: 1 }) }).waitFor();
  const parameters = { city: 'Ulm', days: 3, unit: 'kelvin', tags: ['rain', 'wind'], place: { lat: 48.4 } };
  expect(received).toEqual([{ ...parameters, points: [{ x: 1 }] }]);
  await visit.look('tool-run');
  await panel.getByRole('button', { name: english.tools.asJson }).click();
  const json = panel.getByLabel(english.tools.parametersJson);
  expect(JSON.parse(await json.inputValue())).toEqual(received[0]);
  await json.fill('{"city":"Bonn"}');
  await panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  await expect.poll(() => received.at(-1)).toEqual({ city: 'Bonn' });
  await visit.look('tool-run-json');
});

test('a tool that never answers is stopped by hand, and at its timeout; a failure says what the server said', async () => {
  const { panel, open } = runOf('hang');
  await open();
  await panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  await expect.poll(() => signals.length).toBe(1);
  await panel.getByRole('button', { name: english.tools.stop }).click();
  await panel.getByText(english.tools.runStopped).waitFor();
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true]);
  await panel.getByLabel(english.tools.runTimeout).fill('1');
  await panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  await panel.getByText(english.reasons.tool_timeout).waitFor();
  expect(await panel.getByLabel(english.tools.runTimeout).inputValue()).toBe('1');
  const broken = runOf('broken');
  await broken.open();
  await broken.panel.getByRole('button', { name: english.tools.run, exact: true }).click();
  await broken.panel.getByText('no such city').waitFor();
  await visit.look('tool-run-failed');
});

test('JSON with secrets is not kept in the browser, whether it is finished or not', async () => {
  const { page } = visit;
  const { open, panel } = runOf('sign-in');
  await open();
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await panel.getByLabel('logins').fill('[{"password": "hunter2');
  await panel.getByLabel('logins').fill('[{"password": "hunter2"}]');
  await panel.getByLabel(english.tools.runTimeout).fill('7');
  await expect.poll(kept).toContain('value\\":7');
  expect(await kept()).not.toContain('hunter2');
  await panel.getByRole('button', { name: english.tools.asJson }).click();
  await panel.getByLabel(english.tools.parametersJson).fill('{"logins": [{"password": "hunter2');
  await panel.getByLabel(english.tools.runTimeout).fill('8');
  await expect.poll(kept).toContain('value\\":8');
  expect(await kept()).not.toContain('hunter2');
});

test('the audit log has each run, with who ran it', async () => {
  const { page } = visit;
  await runOf('broken').panel.getByRole('link', { name: english.tools.pastRuns }).click();
  await page.getByRole('heading', { level: 1, name: english.navigation.audit }).waitFor();
  const { entries } = await visit.call('GET', '/api/v1/audit?record_kind=tool&limit=100');
  const states = entries.map(({ after }: { after: { name: string; state?: string } }) => [after.name, after.state]);
  expect(states.filter(([, state]: [string, string?]) => state !== undefined)).toEqual([
    ['broken', 'failed'],
    ['hang', 'failed'],
    ['hang', 'interrupted'],
    ['weather', 'succeeded'],
    ['weather', 'succeeded'],
    ['weather', 'failed'],
  ]);
  await visit.look('tool-run-audit');
});
