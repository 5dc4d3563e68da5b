import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { beginning, counted, fill, moreActions } from './texts.ts';
import { wholeExplanation } from './whole-explanation.ts';

let visit: ConsoleVisit;
let defaultUuid: string;
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  visit = await visitConsole();
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  defaultUuid = pipelines[0].uuid;
  form = (await visit.call('GET', '/api/v1/pipelines/_/metadata')).configs;
}, 180_000);
afterAll(() => visit?.close(), 30_000);
beforeEach(() => {
  visit.complaints.length = 0;
});

/** The part of the page that shows a field of the configuration: `ai.runner.runner`. */
const setting = (path: string) => visit.page.locator(`[data-field="config.${path}"]`);

interface Described extends Partial<Record<'stages' | 'config' | 'options', Described[]>> {
  name: string;
  label: { en_US: string };
}
/** The tabs of the configuration with what is in them, as the server describes them. */
let form: Described[];

/** What a tab, a group, a field or one of its values is called: `ai.runner.runner.local-agent`. */
function labelOf(path: string): string {
  let found: Described | undefined;
  for (const name of path.split('.')) {
    const parts: Described[] = found === undefined ? form : (found.stages ?? found.config ?? found.options ?? []);
    found = parts.find((part) => part.name === name);
    if (found === undefined) throw new Error(`The form of a pipeline has no ${path}`);
  }
  return found?.label.en_US ?? '';
}

const pipelineOf = async (uuid: string) => (await visit.call('GET', `/api/v1/pipelines/${uuid}`)).pipeline;

test('a pipeline is made, copied, made the default and deleted by its name; one in use says who uses it', async () => {
  const { page } = visit;
  const bot = (await visit.call('GET', '/api/v1/platform/bots')).bots[0].name;
  // The server names it.
  const copy = 'Support (Copy)';
  await visit.open('/pipelines');
  await page.getByRole('table').getByText(labelOf('ai.runner.runner.local-agent')).waitFor();
  await page.getByRole('link', { name: bot }).waitFor();
  await visit.look('pipelines-list');

  await page.getByRole('button', { name: english.pipelines.new }).click();
  await visit.look('pipelines-new');
  await page.getByLabel(english.common.name, { exact: true }).fill('Support');
  await page.getByRole('button', { name: english.pipelines.create }).click();
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();

  await page.getByRole('button', { name: moreActions('Support') }).click();
  await page.getByRole('menuitem', { name: english.pipelines.copy }).click();
  await page.getByRole('heading', { name: copy, level: 1 }).waitFor();
  await page.getByRole('button', { name: moreActions(copy) }).click();
  await page.getByRole('menuitem', { name: english.common.delete }).click();
  await page.getByRole('button', { name: english.lists.undo }).waitFor();
  await page.getByRole('heading', { name: english.pipelines.title, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Support', exact: true }).waitFor();
  await page.getByRole('link', { name: copy }).waitFor({ state: 'detached' });

  const name = (await pipelineOf(defaultUuid)).name;
  await page.getByRole('button', { name: moreActions('Support') }).click();
  await page.getByRole('menuitem', { name: english.pipelines.makeDefault }).click();
  await page
    .getByRole('row', { name: /Support/ })
    .getByText(english.pipelines.default, { exact: true })
    .waitFor();
  await page.getByRole('button', { name: moreActions(name) }).click();
  await page.getByRole('menuitem', { name: english.common.delete }).click();
  await page.getByRole('dialog').getByRole('link', { name: bot }).waitFor();
  await visit.look('pipelines-in-use');
  await page.getByRole('button', { name: english.common.close, exact: true }).click();
  await visit.call('PUT', `/api/v1/pipelines/${defaultUuid}/default`);
  expect(visit.complaints).toEqual([]);
});

test('changes of several tabs are looked at, then saved together', async () => {
  const { page } = visit;
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Altered' });
  await visit.open(`/pipelines/${uuid}`);
  await visit.look('pipelines-ai');
  await setting('ai.local-agent.prompt').getByRole('textbox').first().fill('Answer in rhymes.');
  await setting('ai.runner.runner').getByRole('combobox').selectOption('n8n-service-api');
  await page.getByRole('heading', { name: labelOf('ai.n8n-service-api') }).waitFor();
  expect(await page.getByRole('heading', { name: labelOf('ai.local-agent') }).count()).toBe(0);
  await setting('ai.n8n-service-api.auth-type').getByRole('combobox').selectOption('basic');
  await setting('ai.n8n-service-api.basic-password').locator('input').fill('very secret');

  const wanted = labelOf('safety.rate-limit.window-length');
  await page.getByRole('searchbox', { name: english.pipelines.find }).fill(wanted.toLowerCase());
  await visit.look('pipelines-search');
  await page.getByRole('button', { name: beginning(wanted) }).click();
  await page.waitForURL(/tab=safety&field=config\.safety\.rate-limit/);
  await setting('safety.rate-limit.window-length').locator('input:focus').waitFor();
  await setting('safety.rate-limit.limitation').locator('input').fill('7');

  await page.getByRole('button', { name: english.pipelines.showChanges }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Answer in rhymes.').waitFor();
  await dialog.getByText(english.pipelines.secretNew).waitFor();
  expect(await dialog.textContent()).not.toContain('very secret');
  await visit.look('pipelines-changes');
  await dialog.getByRole('button', { name: english.pipelines.publish }).click();
  await page.getByText(english.pipelines.published).waitFor();
  const { config } = await pipelineOf(uuid);
  expect(config.safety['rate-limit'].limitation).toBe(7);
  expect(config.ai['local-agent'].prompt[0].content).toBe('Answer in rhymes.');
  expect(config.ai['n8n-service-api']['basic-password']).not.toBe('');
  expect(visit.complaints).toEqual([]);
});

test('what the server does not accept is marked at its tab and shown at its field', async () => {
  const { page } = visit;
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Wrong' });
  // Few need the setting: it is folded until it is looked for.
  await visit.open(`/pipelines/${uuid}?tab=trigger&field=config.trigger.ignore-rules.regexp`);
  await setting('trigger.ignore-rules.regexp').locator('textarea').fill('(');
  await page.getByRole('tab', { name: labelOf('output') }).click();
  await page.getByRole('button', { name: english.pipelines.publish, exact: true }).click();
  const faults = counted(english.pipelines, 'faults', 1);
  await page
    .getByRole('tab', { name: beginning(labelOf('trigger')) })
    .filter({ hasText: faults })
    .waitFor();
  await visit.look('pipelines-fault');
  const place = `${labelOf('trigger')} › ${labelOf('trigger.ignore-rules.regexp')}`;
  await page.getByRole('button', { name: place }).click();
  const field = setting('trigger.ignore-rules.regexp').locator('textarea');
  await field.and(page.locator('[aria-invalid=true]')).waitFor();
  expect(await field.inputValue()).toBe('(');
  await visit.look('pipelines-fault-field');

  await page.getByRole('link', { name: english.pipelines.toList }).click();
  await page.getByRole('button', { name: english.common.stay }).click();
  await field.fill('^x');
  await page.getByRole('button', { name: english.pipelines.publish, exact: true }).click();
  await page.getByText(english.pipelines.published).waitFor();
  expect((await pipelineOf(uuid)).config.trigger['ignore-rules'].regexp).toEqual(['^x']);
  visit.complaints.splice(
    0,
    visit.complaints.length,
    ...visit.complaints.filter((text) => !text.includes('status of 400')),
  );
  expect(visit.complaints).toEqual([]);
});

test('the name, the icon and the tool servers have their tabs', async () => {
  const { page } = visit;
  const server = { name: 'weather', enable: false, mode: 'http', extra_args: { url: 'http://127.0.0.1:9/mcp' } };
  const { uuid: serverUuid } = await visit.call('POST', '/api/v1/mcp/servers', server);
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Named' });
  await visit.open(`/pipelines/${uuid}?tab=general`);
  await page.getByLabel(english.common.name, { exact: true }).fill('Renamed');
  await page.getByRole('button', { name: fill(english.pipelines.chooseEmoji, { emoji: '📚' }) }).click();
  await visit.look('pipelines-general');
  await page.getByRole('tab', { name: english.pipelines.extensions }).click();
  await page.getByRole('checkbox', { name: /weather/ }).check();
  const runsFor = page.getByLabel(english.pipelines.toolUsers);
  expect(await runsFor.inputValue()).toBe('nobody');
  await runsFor.selectOption('listed');
  await page.getByLabel(english.pipelines.listedUsers).fill('123');
  await page.getByText(english.pipelines.listedUsersFault).waitFor();
  await page.getByLabel(english.pipelines.listedUsers).fill('person_123\nperson_456');
  await visit.look('pipelines-extensions');
  await page.getByRole('button', { name: english.pipelines.publish, exact: true }).click();
  await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
  expect(await pipelineOf(uuid)).toMatchObject({
    emoji: '📚',
    extensions_preferences: {
      enable_all_mcp_servers: false,
      mcp_servers: [serverUuid],
      mcp_tool_users: { [serverUuid]: { allow: 'listed', users: ['person_123', 'person_456'] } },
    },
  });
  expect(visit.complaints).toEqual([]);
});

test('the debug chat answers, and tells what became of each message', async () => {
  const { page } = visit;
  await visit.open(`/pipelines/${defaultUuid}?tab=chat&answers=published`);
  await page.getByRole('textbox', { name: english.chat.placeholder }).fill('Hello there');
  await page.keyboard.press('Enter');
  await page.locator('[data-role=assistant][data-streaming=false]').waitFor();
  await visit.look('pipelines-chat');
  await page
    .locator('[data-role=assistant]')
    .getByRole('button', { name: beginning(english.explain.openNamed) })
    .click();
  const panel = page.getByRole('complementary', { name: english.explain.title });
  await panel.getByText(english.explain.modelCalls).waitFor();
  await panel.getByText(english.explain.outcomes.sent, { exact: true }).first().waitFor();
  await page.waitForURL(/message=/);
  await visit.look('pipelines-explain');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('dialog', { name: english.explain.title }).getByText(english.explain.modelCalls).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('message'));
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByText(english.pipelines.group, { exact: true }).click();
  await page.getByRole('textbox', { name: english.chat.placeholder }).fill('nobody is meant');
  await page.keyboard.press('Enter');
  await page
    .locator('[data-role=user]')
    .getByRole('button', { name: beginning(english.explain.openNamed) })
    .click();
  await panel.getByText(english.reasons.group_rule_not_matched).first().waitFor();
  await visit.look('pipelines-explain-stopped');
  expect(visit.complaints).toEqual([]);
});

test('a message with tools and knowledge is explained in full, and followed while it is under way', async () => {
  const { page } = visit;
  let isInProgress = true;
  await page.route('**/explain', (route) =>
    route.fulfill({ json: { code: 0, msg: 'ok', data: wholeExplanation(isInProgress) } }),
  );
  await visit.open(`/pipelines/${defaultUuid}?tab=chat&message=${wholeExplanation(true).message.uuid}`);
  const panel = page.getByRole('complementary', { name: english.explain.title });
  await panel.getByText(english.explain.underWay).waitFor();
  await panel.getByText(english.explain.toolStates.running).waitFor();
  isInProgress = false;
  await panel.getByText(english.explain.underWay).waitFor({ state: 'detached' });
  await panel.getByText(fill(english.explain.citedAs, { number: 1 })).waitFor();
  await panel.getByText(counted(english.explain, 'dropped', 2)).waitFor();
  await panel.getByText(english.reasons.provider_timeout).waitFor();
  await panel.getByText(english.common.details).first().click();
  await panel.getByText('{"city":"Oslo"}').waitFor();
  await visit.look('pipelines-explain-whole');
  // Before the panel may ask the server, which has no such message.
  expect(visit.complaints).toEqual([]);
  await page.unroute('**/explain');
});
