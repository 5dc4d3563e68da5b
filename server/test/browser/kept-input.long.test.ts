import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';

let visit: ConsoleVisit;

vi.setConfig({ testTimeout: 60_000 });

/** Typed into every secret field. */
const secret = 'sk-only-for-the-server-0123456789';
const password = 'correct horse battery';

/** A form of a page: its address, and what opens it if it is a dialog. */
interface Form {
  address: string;
  /** Label of the button that opens it. */
  button?: string;
  /** Labels of buttons that add fields, which are there again after a reload. */
  adds?: string[];
  /** Text of what is folded. */
  unfolds?: string;
  /** What is chosen first, in the first list. */
  chooses?: string;
}

/** Places of the records that pages are about, filled in when these are created. */
const records: Record<string, string> = {};

const secretsOnly = 'only secrets';
const noInput = 'nothing is typed here';
const movedPage = 'it leads to another page';
const inAddress = 'the address has what is typed';

/** The forms of every page, by its route, or why it has none. */
const formsOf: Record<string, Form[] | string> = {
  '/': noInput,
  '/account': secretsOnly,
  '/accounts': [{ address: '/accounts', button: english.accounts.new }],
  '/alerts': noInput,
  '/alerts/rules/new': [{ address: '/alerts/rules/new' }],
  '/alerts/rules/$uuid': [{ address: '/alerts/rules/{rule}' }],
  '/alerts/targets/new': [{ address: '/alerts/targets/new' }],
  '/alerts/targets/$uuid': [{ address: '/alerts/targets/{target}' }],
  '/api-keys': noInput,
  '/api-keys/new': [{ address: '/api-keys/new' }],
  '/audit': inAddress,
  '/bot': movedPage,
  '/bot/$': movedPage,
  '/bots': noInput,
  '/bots/new': [{ address: '/bots/new?adapter=telegram' }],
  '/bots/$uuid': [
    { address: '/bots/{bot}?tab=configuration' },
    { address: '/bots/{bot}?tab=routing', adds: [english.bots.addRule, english.bots.conditions.keywords] },
    { address: '/bots/{bot}?tab=send' },
  ],
  '/chat': [{ address: '/chat' }],
  '/start': [
    { address: '/start?step=connect', unfolds: english.guidedStart.moreSettings },
    { address: '/start?step=model', chooses: 'openai-chat-completions' },
  ],
  '/knowledge': noInput,
  '/knowledge/new': [{ address: '/knowledge/new' }],
  '/knowledge/$uuid': [
    { address: '/knowledge/{base}?tab=playground' },
    { address: '/knowledge/{base}?tab=settings' },
    { address: '/knowledge/{base}?tab=questions', button: english.knowledge.newQuestion },
    { address: '/knowledge/{base}?tab=questions', button: english.knowledge.import },
  ],
  '/knowledge/$uuid/files/$file': noInput,
  '/messages': inAddress,
  '/messages/conversation': noInput,
  '/messages/$uuid': noInput,
  '/models': [{ address: '/models?tab=prices' }],
  '/models/providers/new': [{ address: '/models/providers/new?requester=openai-chat-completions' }],
  '/models/providers/$uuid': [
    { address: '/models/providers/{provider}?tab=add' },
    { address: '/models/providers/{provider}?tab=configuration' },
  ],
  '/models/$kind/$uuid': [{ address: '/models/llm/{model}' }],
  '/pipelines': [{ address: '/pipelines', button: english.pipelines.new }],
  '/pipelines/$uuid': [
    { address: '/pipelines/{pipeline}?tab=general' },
    { address: '/pipelines/{pipeline}?tab=ai' },
    { address: '/pipelines/{pipeline}?tab=trigger' },
    { address: '/pipelines/{pipeline}?tab=safety' },
    { address: '/pipelines/{pipeline}?tab=output' },
    { address: '/pipelines/{pipeline}?tab=chat' },
  ],
  '/api-reference': noInput,
  '/system': [{ address: '/system?tab=words' }],
  '/tools': noInput,
  '/tools/servers/new': [{ address: '/tools/servers/new' }],
  '/tools/servers/$uuid': [{ address: '/tools/servers/{server}?tab=configuration' }],
  '/webhooks': noInput,
  '/webhooks/new': [{ address: '/webhooks/new' }],
  '/webhooks/$id': [{ address: '/webhooks/{webhook}?tab=configuration' }],
};

beforeAll(async () => {
  visit = await visitConsole();
  const { call } = visit;
  const provider = { name: 'Mine', requester: 'openai-chat-completions', base_url: 'http://127.0.0.1:9/v1' };
  records.provider = (await call('POST', '/api/v1/provider/providers', { ...provider, api_keys: ['sk-stored'] })).uuid;
  const model = { name: 'large', provider_uuid: records.provider, abilities: [], extra_args: {} };
  records.model = (await call('POST', '/api/v1/provider/models/llm', model)).uuid;
  const bot = { name: 'Stored', adapter: 'telegram', adapter_config: { token: '1:stored' }, enable: false };
  records.bot = (await call('POST', '/api/v1/platform/bots', bot)).uuid;
  const { engines } = await call('GET', '/api/v1/knowledge/engines');
  const base = { name: 'Base', description: '', knowledge_engine_plugin_id: engines[0].plugin_id };
  records.base = (await call('POST', '/api/v1/knowledge/bases', base)).uuid;
  records.pipeline = (await call('POST', '/api/v1/pipelines', { name: 'Second' })).uuid;
  const args = { url: 'http://127.0.0.1:9/mcp', headers: { authorization: 'stored' }, timeout: 5 };
  const server = { name: 'server', mode: 'http', enable: false, extra_args: args };
  records.server = (await call('POST', '/api/v1/mcp/servers', server)).uuid;
  const webhook = { name: 'Hook', url: 'https://example.org/hook', description: '', enabled: false };
  const rule = { name: 'Offline', kind: 'error_rate', enabled: false };
  records.rule = (await call('POST', '/api/v1/alerts/rules', rule)).rule.uuid;
  const mail = { host: '127.0.0.1', from: 'parley@example.org', to: ['ada@example.org'] };
  const target = { name: 'Mail', kind: 'email', config: mail };
  records.target = (await call('POST', '/api/v1/alerts/targets', target)).target.uuid;
  records.webhook = String((await call('POST', '/api/v1/webhooks', webhook)).webhook.id);
  await call('PUT', '/api/v1/system/wizard/progress', { step: 'connect', adapter: 'telegram' });
  // Unsaved input is about to be lost, as far as the browser knows.
  visit.page.on('dialog', (dialog) => void dialog.accept());
}, 120_000);
afterAll(() => visit?.close());

/** All routes of the console, as they are in its source. */
function routes(): string[] {
  const pages = fileURLToPath(new URL('../../../web/src/pages/', import.meta.url));
  const nouns = readdirSync(pages, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return nouns.flatMap(({ name: noun }) => {
    const names = readdirSync(`${pages}${noun}`).filter((name) => name === 'routes.ts');
    return names.flatMap((name) =>
      [...readFileSync(`${pages}${noun}/${name}`, 'utf8').matchAll(/^ {4}path: '([^']+)'/gm)].map(
        ([, path]) => path ?? '',
      ),
    );
  });
}

const forms = Object.values(formsOf).flatMap((known) => (typeof known === 'string' ? [] : known));

async function show({ address, button, unfolds }: Form): Promise<Locator> {
  const { page } = visit;
  await visit.open(address.replace(/\{(\w+)\}/g, (_, name: string) => records[name] ?? ''));
  if (button !== undefined) await page.getByRole('button', { name: button }).first().click();
  if (unfolds !== undefined) await page.getByText(unfolds, { exact: true }).click();
  return button === undefined ? page.locator('#content') : page.getByRole('dialog');
}

/** Text fields that are not for searching, in their order. */
function fieldsIn(form: Locator): Locator {
  const texts = 'input:not([type]), input[type=text], input[type=number], input[type=password], textarea';
  return form.locator(texts).and(form.page().locator(':enabled:not([readonly]):visible'));
}

/** Types into every field. @returns how many are no secrets */
async function fillIn(form: Locator): Promise<number> {
  let count = 0;
  for (const field of await fieldsIn(form).all()) {
    if (await isSecret(field)) {
      await field.fill(secret);
      continue;
    }
    const before = await field.inputValue();
    const isNumber = await field.evaluate(
      (element) =>
        (element as HTMLInputElement).type === 'number' ||
        ['numeric', 'decimal'].includes((element as HTMLElement).inputMode),
    );
    count += 1;
    if (isNumber) await field.fill(before === '7' ? '8' : '7');
    else if (before.startsWith('{')) await field.fill(`{"typed": ${count}}`);
    else await field.fill(`typed ${count}`);
  }
  return count;
}

const isSecret = (field: Locator) => field.evaluate((element) => (element as HTMLInputElement).type === 'password');

/** The values of all fields that are no secrets. JSON has no spaces that count. */
async function valuesIn(form: Locator): Promise<string[]> {
  const values: string[] = [];
  for (const field of await fieldsIn(form).all()) {
    if (await isSecret(field)) continue;
    const value = await field.inputValue();
    values.push(value.startsWith('{') ? JSON.stringify(JSON.parse(value)) : value);
  }
  return values;
}

async function stored(page: Page): Promise<string> {
  return await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
}

test('the forms of every page are known here', () => {
  expect(routes().toSorted()).toEqual(Object.keys(formsOf).toSorted());
});

test.each(Object.entries(formsOf).filter(([path, known]) => typeof known === 'string' && !path.includes('$')))(
  'the page %s has no input that could be lost: %s',
  async (path, reason) => {
    await visit.open(path);
    await visit.page.waitForLoadState('networkidle');
    if (reason !== noInput) return;
    const form = visit.page.locator('#content');
    const inputs = await fieldsIn(form).all();
    expect(await Promise.all(inputs.map((input) => input.getAttribute('name')))).toEqual([]);
  },
);

describe.each(forms.map((form) => ({ ...form, name: `${form.address} ${form.button ?? ''}`.trim() })))(
  'what is typed at $name',
  (form) => {
    test('is there after a reload, but for secrets, which are not in the storage of the browser', async () => {
      const shown = await show(form);
      for (const name of form.adds ?? []) await shown.getByRole('button', { name }).click();
      if (form.chooses !== undefined) await shown.locator('select').first().selectOption(form.chooses);
      await fieldsIn(shown).first().waitFor();
      expect(await fillIn(shown)).toBeGreaterThan(0);
      const typed = await valuesIn(shown);
      expect(await stored(visit.page)).not.toContain(secret);
      await visit.page.reload();
      const again = await show(form);
      await expect.poll(() => valuesIn(again)).toEqual(typed);
      expect(await stored(visit.page)).not.toContain(secret);
    });
  },
);

test('a session that ends while a pipeline is edited loses nothing: signing in again over the page saves it', async () => {
  const { page, call } = visit;
  const { uuid } = await call('POST', '/api/v1/pipelines', { name: 'Edited' });
  await visit.open(`/pipelines/${uuid}?tab=general`);
  const name = page.getByLabel(english.common.name, { exact: true });
  await name.fill('Typed for long');
  await call('DELETE', '/api/v1/user/sessions');
  await page.getByRole('button', { name: english.pipelines.publish, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: english.signIn.againTitle });
  await dialog.waitFor();
  await visit.look('sign-in-again');
  // It cannot be dismissed.
  await page.keyboard.press('Escape');
  await dialog.getByLabel(english.account.password, { exact: true }).fill('wrong password');
  await dialog.getByRole('button', { name: english.signIn.submit }).click();
  await dialog.getByText(english.reasons.invalid_credentials).waitFor();
  await dialog.getByLabel(english.account.password, { exact: true }).fill(password);
  await dialog.getByRole('button', { name: english.signIn.submit }).click();
  await dialog.waitFor({ state: 'detached' });
  const stored = async () => (await call('GET', `/api/v1/pipelines/${uuid}`)).pipeline.name;
  await expect.poll(stored).toBe('Typed for long');
});

test('a change by another user meanwhile is shown field by field', async () => {
  const { page, call } = visit;
  const hook = { name: 'Edited', url: 'https://example.org/hook', description: '', enabled: false };
  const { id } = (await call('POST', '/api/v1/webhooks', hook)).webhook;
  await visit.open(`/webhooks/${id}?tab=configuration`);
  const name = page.getByLabel(english.common.name, { exact: true });
  await name.fill('Mine');
  await call('PUT', `/api/v1/webhooks/${id}`, { name: 'Theirs' });
  await page.getByRole('button', { name: english.common.save, exact: true }).click();
  const differences = page.getByRole('region', { name: english.common.differences });
  await differences.getByText('Theirs', { exact: true }).waitFor();
  await differences.getByText('Mine', { exact: true }).waitFor();
  await visit.look('conflict');
  await page.getByRole('button', { name: english.common.overwrite }).click();
  await differences.waitFor({ state: 'detached' });
  const { webhook } = await call('GET', `/api/v1/webhooks/${id}`);
  expect(webhook.name).toBe('Mine');
});

test('signing out removes everything that was kept', async () => {
  const { page } = visit;
  await visit.open('/webhooks/new');
  await page.getByLabel(english.common.name, { exact: true }).fill('Not for the next user');
  await expect.poll(() => stored(page)).toContain('Not for the next user');
  await visit.call('DELETE', '/api/v1/user/sessions');
  await page.getByRole('button', { name: english.webhooks.create }).click();
  await page.getByRole('button', { name: english.signIn.discard }).click();
  await page.getByRole('heading', { name: english.signIn.title }).waitFor();
  expect(await stored(page)).not.toContain('kept:');
});
