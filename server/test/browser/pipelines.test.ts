import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { wholeExplanation } from './whole-explanation.ts';

let visit: ConsoleVisit;
let defaultUuid: string;
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  visit = await visitConsole();
  const { pipelines } = await visit.call('GET', '/api/v1/pipelines');
  defaultUuid = pipelines[0].uuid;
}, 180_000);
afterAll(() => visit?.close(), 30_000);
beforeEach(() => {
  visit.complaints.length = 0;
});

const pipelineOf = async (uuid: string) => (await visit.call('GET', `/api/v1/pipelines/${uuid}`)).pipeline;

test('a pipeline is made, copied, made the default and deleted by its name; one in use says who uses it', async () => {
  const { page } = visit;
  await visit.open('/pipelines');
  await page.getByRole('table').getByText('Built-in agent').waitFor();
  await page.getByRole('link', { name: 'Web chat' }).waitFor();
  await visit.look('pipelines-list');

  await page.getByRole('button', { name: 'New pipeline' }).click();
  await visit.look('pipelines-new');
  await page.getByLabel('Name', { exact: true }).fill('Support');
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'More actions: Support' }).click();
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await page.getByRole('heading', { name: 'Support (Copy)', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'More actions: Support (Copy)' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const sure = page.getByRole('button', { name: 'Delete pipeline' });
  expect(await sure.isDisabled()).toBe(true);
  await page.getByLabel('Type “Support (Copy)” to confirm.').fill('Support (Copy)');
  await sure.click();
  await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Support', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Support (Copy)' }).waitFor({ state: 'detached' });

  const name = (await pipelineOf(defaultUuid)).name;
  await page.getByRole('button', { name: 'More actions: Support' }).click();
  await page.getByRole('menuitem', { name: 'Make default' }).click();
  await page
    .getByRole('row', { name: /Support/ })
    .getByText('Default', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: `More actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Web chat' }).waitFor();
  await visit.look('pipelines-in-use');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await visit.call('PUT', `/api/v1/pipelines/${defaultUuid}/default`);
  expect(visit.complaints).toEqual([]);
});

test('changes of several tabs are looked at, then saved together', async () => {
  const { page } = visit;
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Changed' });
  await visit.open(`/pipelines/${uuid}`);
  await visit.look('pipelines-ai');
  await page.getByRole('textbox', { name: 'Prompt 1' }).fill('Answer in rhymes.');
  await page.getByLabel('Runner', { exact: true }).selectOption('n8n-service-api');
  await page.getByRole('heading', { name: 'n8n' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Built-in agent' }).count()).toBe(0);
  await page.getByLabel('Authentication').selectOption('basic');
  await page.getByLabel('Password', { exact: true }).fill('very secret');

  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('time window');
  await visit.look('pipelines-search');
  await page.getByRole('button', { name: /^Time window/ }).click();
  await page.waitForURL(/tab=safety&field=config\.safety\.rate-limit/);
  await page.locator('[data-field="config.safety.rate-limit.window-length"] input:focus').waitFor();
  await page.locator('[data-field="config.safety.rate-limit.limitation"] input').fill('7');

  await page.getByRole('button', { name: 'Show changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Answer in rhymes.').waitFor();
  await dialog.getByText('Another secret').waitFor();
  expect(await dialog.textContent()).not.toContain('very secret');
  await visit.look('pipelines-changes');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('There are changes that are not saved.').waitFor({ state: 'detached' });
  const { config } = await pipelineOf(uuid);
  expect(config.safety['rate-limit'].limitation).toBe(7);
  expect(config.ai['local-agent'].prompt[0].content).toBe('Answer in rhymes.');
  expect(config.ai['n8n-service-api']['basic-password']).not.toBe('');
  expect(visit.complaints).toEqual([]);
});

test('what the server does not accept is marked at its tab and shown at its field', async () => {
  const { page } = visit;
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Wrong' });
  await visit.open(`/pipelines/${uuid}?tab=trigger`);
  await page.locator('[data-field="config.trigger.ignore-rules.regexp"] textarea').fill('(');
  await page.getByRole('tab', { name: 'Output' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('tab', { name: /Trigger.*1 setting has to be corrected/ }).waitFor();
  await visit.look('pipelines-fault');
  await page.getByRole('button', { name: 'Trigger › Regular expressions' }).click();
  const field = page.locator('[data-field="config.trigger.ignore-rules.regexp"] textarea');
  await field.and(page.locator('[aria-invalid=true]')).waitFor();
  expect(await field.inputValue()).toBe('(');
  await visit.look('pipelines-fault-field');

  await page.getByRole('link', { name: 'All pipelines' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await field.fill('^x');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('There are changes that are not saved.').waitFor({ state: 'detached' });
  expect((await pipelineOf(uuid)).config.trigger['ignore-rules'].regexp).toEqual(['^x']);
  visit.complaints.splice(0, visit.complaints.length, ...visit.complaints.filter((text) => !text.includes('400')));
  expect(visit.complaints).toEqual([]);
});

test('the name, the icon and the tool servers have their tabs', async () => {
  const { page } = visit;
  const server = { name: 'weather', enable: false, mode: 'http', extra_args: { url: 'http://127.0.0.1:9/mcp' } };
  const { uuid: serverUuid } = await visit.call('POST', '/api/v1/mcp/servers', server);
  const { uuid } = await visit.call('POST', '/api/v1/pipelines', { name: 'Named' });
  await visit.open(`/pipelines/${uuid}?tab=general`);
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Use 📚' }).click();
  await visit.look('pipelines-general');
  await page.getByRole('tab', { name: 'Tool servers' }).click();
  await page.getByRole('checkbox', { name: /weather/ }).check();
  const runsFor = page.getByLabel('Tools that may change something run for');
  expect(await runsFor.inputValue()).toBe('nobody');
  await runsFor.selectOption('listed');
  await page.getByLabel('Listed users').fill('123');
  await page.getByText('Each line must be person_ followed by an id.').waitFor();
  await page.getByLabel('Listed users').fill('person_123\nperson_456');
  await visit.look('pipelines-extensions');
  await page.getByRole('button', { name: 'Save' }).click();
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
  await visit.open(`/pipelines/${defaultUuid}?tab=chat`);
  await page.getByRole('textbox', { name: 'Write a message' }).fill('Hello there');
  await page.keyboard.press('Enter');
  await page.locator('[data-role=assistant][data-growing=false]').waitFor();
  await visit.look('pipelines-chat');
  await page
    .locator('[data-role=assistant]')
    .getByRole('button', { name: /^Explain this message/ })
    .click();
  const panel = page.getByRole('complementary', { name: 'How this message went' });
  await panel.getByText('Calls of models').waitFor();
  await panel.getByText('Sent', { exact: true }).first().waitFor();
  await page.waitForURL(/message=/);
  await visit.look('pipelines-explain');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('dialog', { name: 'How this message went' }).getByText('Calls of models').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('message'));
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByText('Group', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Write a message' }).fill('nobody is meant');
  await page.keyboard.press('Enter');
  await page
    .locator('[data-role=user]')
    .getByRole('button', { name: /^Explain this message/ })
    .click();
  await panel.getByText('It was written in a group, and none of the rules for groups holds.').first().waitFor();
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
  const panel = page.getByRole('complementary', { name: 'How this message went' });
  await panel.getByText('Being worked on. This view follows.').waitFor();
  await panel.getByText('Running').waitFor();
  isInProgress = false;
  await panel.getByText('Being worked on.').waitFor({ state: 'detached' });
  await panel.getByText('Cited as [1]').waitFor();
  await panel.getByText('2 citations were taken out because no passage holds them.').waitFor();
  await panel.getByText('The model provider did not answer in time.').waitFor();
  await panel.getByText('Details').first().click();
  await panel.getByText('{"city":"Oslo"}').waitFor();
  await visit.look('pipelines-explain-whole');
  await page.unroute('**/explain');
  expect(visit.complaints).toEqual([]);
});
