import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { pluginPackage } from '../factories/plugin-package.ts';
import { type Form, formsOf, noInput } from './console-forms.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { installPlugin } from './install-plugin.ts';

let visit: ConsoleVisit;

vi.setConfig({ testTimeout: 60_000 });

/** Typed into every secret field. */
const secret = 'sk-only-for-the-server-0123456789';
const password = 'correct horse battery';

/** Places of the records that pages are about, filled in when these are created. */
const records: Record<string, string> = {};

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
  records.other = (await call('POST', '/api/v1/pipelines', { name: 'Third' })).uuid;
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
  // It has every kind of permission; nobody consents, so it does not run.
  await installPlugin(visit, pluginPackage(), { consents: false });
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

/** Labels of what takes effect at once, or chooses what is shown. */
const atOnce: string[] = [
  english.alerts.enabled,
  english.alerts.pause,
  english.bots.enabled,
  english.plugins.enabled,
  english.tools.enabled,
  english.webhooks.enabled,
  english.chat.pipeline,
  english.pipelines.chatAnswers,
  english.pipelines.chatAs,
];

async function show(page: Page, { address, button, unfolds }: Form): Promise<Locator> {
  const path = address.replace(/\{(\w+)\}/g, (_, name: string) => records[name] ?? '');
  await page.goto(visit.network.address + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (button !== undefined) await page.getByRole('button', { name: button }).first().click();
  if (unfolds !== undefined) await page.getByText(unfolds, { exact: true }).click();
  const shown = button === undefined ? page.locator('#content') : page.getByRole('dialog');
  await shown.locator('input, textarea, select').first().waitFor();
  return shown;
}

const usable = ':enabled:not([readonly]):visible';

/** Text fields that are not for searching, in their order. */
function fieldsIn(form: Locator): Locator {
  const texts = ['text', 'number', 'password', 'url'].map((type) => `input[type=${type}]`);
  return form.locator(`input:not([type]), ${texts}, textarea`).and(form.page().locator(usable));
}

/** Lists, switches, boxes and radio buttons, in their order. */
function choicesIn(form: Locator): Locator {
  return form.locator('select, input[type=checkbox], input[type=radio]').and(form.page().locator(usable));
}

const labelOf = (choice: Locator) =>
  choice.evaluate((element) => {
    const { labels, type } = element as HTMLInputElement;
    // The own label of a radio button is what is chosen.
    if (type === 'radio') return element.closest('fieldset')?.querySelector('legend')?.textContent ?? '';
    return element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? '';
  });

/** Changes every choice, as far as there is another one. @returns how many */
async function choose(form: Locator): Promise<number> {
  const done = new Set<string>();
  // What is chosen may show other choices.
  for (let index = 0; index < (await choicesIn(form).count()); index += 1) {
    const choice = choicesIn(form).nth(index);
    const label = await labelOf(choice);
    if (atOnce.includes(label) || done.has(label)) continue;
    const kind = await choice.evaluate((element) => (element as HTMLInputElement).type);
    if (kind === 'radio') {
      if (await choice.isChecked()) continue;
      await choice.check({ force: true });
      done.add(label);
    } else if (kind === 'checkbox') {
      await choice.setChecked(!(await choice.isChecked()));
      done.add(`${label} ${index}`);
    } else {
      const other = await choice.evaluate((element) => {
        const { options, value } = element as HTMLSelectElement;
        return [...options].find((option) => !option.disabled && option.value !== value && option.value !== '')?.value;
      });
      if (other === undefined) continue;
      await choice.selectOption(other);
      done.add(`${label} ${index}`);
    }
  }
  return done.size;
}

/** Types into every field. @returns how many are no secrets */
async function type(form: Locator): Promise<number> {
  let count = 0;
  for (const field of await fieldsIn(form).all()) {
    if (await isSecret(field)) {
      await field.fill(secret);
      continue;
    }
    const before = await field.inputValue();
    count += 1;
    if (await isForNumber(field)) await field.fill(before === '7' ? '8' : '7');
    else if (before.startsWith('{')) await field.fill(`{"typed": ${count}}`);
    else await field.fill(`typed ${count}`);
  }
  return count;
}

/** Changes everything there is in a form. @throws Error where there is nothing */
async function fillIn(form: Locator, { adds = [], asIs }: Form): Promise<void> {
  for (const name of adds) await form.getByRole('button', { name, exact: true }).first().click();
  const chosen = asIs ? 0 : await choose(form);
  const typed = await type(form);
  if (chosen + typed === 0) throw new Error('there is nothing to fill in');
}

/** Types what is no value yet, where there are numbers or JSON. @returns into how many fields */
async function typeHalf(form: Locator): Promise<number> {
  let count = 0;
  for (const field of await fieldsIn(form).all()) {
    if (await isSecret(field)) continue;
    const isNumber = await isForNumber(field);
    if (!isNumber && !/^[{[]/.test(await field.inputValue())) continue;
    await field.fill(isNumber ? `${count}e` : `{"typed ${count}": `);
    await field.blur();
    count += 1;
  }
  return count;
}

const isForNumber = (field: Locator) =>
  field.evaluate((element) => ['numeric', 'decimal'].includes((element as HTMLElement).inputMode));

const isSecret = (field: Locator) => field.evaluate((element) => (element as HTMLInputElement).type === 'password');

/** What all fields and choices contain; of secrets only on request. JSON has no spaces that count. */
async function valuesIn(form: Locator, { secrets = false } = {}): Promise<(string | boolean)[]> {
  const all = fieldsIn(form).or(choicesIn(form));
  const values = await all.evaluateAll(
    (elements, withSecrets) =>
      elements.flatMap((element): (string | boolean)[] => {
        const { type, value, checked } = element as HTMLInputElement;
        if (type === 'password' && !withSecrets) return [];
        return type === 'checkbox' || type === 'radio' ? [checked] : [value];
      }),
    secrets,
  );
  return values.map((value) => {
    try {
      return typeof value === 'string' && value.startsWith('{') ? JSON.stringify(JSON.parse(value)) : value;
    } catch {
      return value;
    }
  });
}

/** The fields that say that they are invalid. */
const invalidIn = (form: Locator) => form.locator('[aria-invalid=true]').count();

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

/** As many pages as a browser connects to one server at once, with their streams of events. */
const together = 5;
const groupCount = Math.ceil(forms.length / together);
/** Forms of one page are not in one group: they may be parts of one draft. */
const groups = Array.from({ length: groupCount }, (_, group) => ({
  names: forms
    .filter((_, index) => index % groupCount === group)
    .map(nameOf)
    .join(', '),
  group: forms.filter((_, index) => index % groupCount === group),
}));

function nameOf({ address, button, asIs }: Form): string {
  return [address, button, asIs && 'as it is'].filter(Boolean).join(' ');
}

/** Types the password where the session has ended. */
async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: english.signIn.againTitle });
  await dialog.getByLabel(english.account.password, { exact: true }).fill(password);
  await dialog.getByRole('button', { name: english.signIn.submit }).click();
  await dialog.waitFor({ state: 'detached' });
}

test.each(groups)('nothing is lost of $names', async ({ group }) => {
  await visit.page.goto('about:blank');
  const tabs = await Promise.all(group.map(async (form) => ({ form, page: await visit.context.newPage() })));
  onTestFinished(async () => void (await Promise.all(tabs.map(({ page }) => page.close()))));
  const filled = await Promise.all(
    tabs.map(async ({ form, page }) => {
      page.on('dialog', (dialog) => void dialog.accept());
      const shown = await show(page, form);
      await fillIn(shown, form);
      const [all, values] = [await valuesIn(shown, { secrets: true }), await valuesIn(shown)];
      return { name: nameOf(form), form, page, shown, all, values };
    }),
  );
  const [first] = filled as [(typeof filled)[number]];

  // The session ends, the network is gone, the server restarts.
  await visit.call('DELETE', '/api/v1/user/sessions');
  visit.network.break();
  await visit.restart();
  visit.network.mend();
  await signInAgain(first.page);
  for (const { name, page, shown, all } of filled) {
    await page.getByRole('dialog', { name: english.signIn.againTitle }).waitFor({ state: 'detached' });
    expect(await valuesIn(shown, { secrets: true }), name).toEqual(all);
  }

  await Promise.all(
    filled.map(async ({ name, form, page, values }) => {
      expect(await stored(page), name).not.toContain(secret);
      // Loads the page again.
      const again = await show(page, form);
      await expect.poll(() => valuesIn(again), { message: name }).toEqual(values);
      expect(await stored(page), name).not.toContain(secret);

      if ((await typeHalf(again)) === 0) return;
      const half = { values: await valuesIn(again), invalid: await invalidIn(again) };
      const last = await show(page, form);
      await expect.poll(() => valuesIn(last), { message: name }).toEqual(half.values);
      expect(await invalidIn(last), name).toBe(half.invalid);
    }),
  );
});

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

test('a golden question that was changed meanwhile is shown in both versions', async () => {
  const { page, call } = visit;
  const path = `/api/v1/knowledge/bases/${records.base}/questions`;
  const form = new FormData();
  form.append('file', new Blob(['# Opening hours\n\nWe open at nine.']), 'hours.md');
  const headers = { authorization: `Bearer ${visit.token}` };
  const uploaded = await fetch(`${visit.address}/api/v1/files/documents`, { method: 'POST', headers, body: form });
  const { data } = (await uploaded.json()) as { data: { file_id: string } };
  await call('POST', `/api/v1/knowledge/bases/${records.base}/files`, { file_id: data.file_id });
  const documents = async () => (await call('GET', `/api/v1/knowledge/bases/${records.base}/files`)).files;
  await expect.poll(async () => (await documents()).length).toBe(1);
  const [{ uuid: document_uuid }] = await documents();
  const question = { question: 'When do you open?', expected: [{ document_uuid, quote: null, grade: 1 }] };
  const [{ uuid }] = (await call('POST', path, question)).questions;
  await visit.open(`/knowledge/${records.base}?tab=questions`);
  await page.getByRole('button', { name: question.question }).last().click();
  await page.getByRole('menuitem', { name: english.common.edit }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(english.knowledge.question, { exact: true }).fill('Mine');
  await call('PUT', `${path}/${uuid}`, { question: 'Theirs', expected: [{ document_uuid, quote: null, grade: 3 }] });
  await dialog.getByRole('button', { name: english.common.save, exact: true }).click();
  const differences = dialog.getByRole('region', { name: english.common.differences });
  for (const text of ['Theirs', 'Mine', 'hours.md']) await differences.getByText(text).first().waitFor();
  await visit.look('question-conflict');
  await dialog.getByRole('button', { name: english.common.overwrite }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await call('GET', `${path}/${uuid}`)).question.question).toBe('Mine');
});

test('two tabs with one form each keep what is typed there', async () => {
  const { page, call } = visit;
  const other = await visit.context.newPage();
  onTestFinished(() => other.close());
  const form = { address: '/webhooks/new' };
  const name = (tab: Page) => tab.getByLabel(english.common.name, { exact: true });
  await show(page, form);
  await name(page).fill('First tab');
  // It may continue what a closed tab has left.
  await show(other, form);
  expect(await name(other).inputValue()).toBe('First tab');
  await name(other).fill('Second tab');
  await other.getByLabel(english.webhooks.url, { exact: true }).fill('https://example.org/second');
  await page.reload();
  await other.reload();
  await expect.poll(() => name(page).inputValue()).toBe('First tab');
  await expect.poll(() => name(other).inputValue()).toBe('Second tab');
  await other.getByRole('button', { name: english.webhooks.create }).click();
  await expect.poll(async () => JSON.stringify(await call('GET', '/api/v1/webhooks'))).toContain('Second tab');
  await page.reload();
  await expect.poll(() => name(page).inputValue()).toBe('First tab');
  // Closed: another tab continues it, and it is kept once.
  await page.goto('about:blank');
  await show(other, form);
  expect(await name(other).inputValue()).toBe('First tab');
  await name(other).fill('');
  expect(await stored(other)).not.toContain('First tab');
});

test('two tabs with one conversation keep the message in each', async () => {
  const { page } = visit;
  const other = await visit.context.newPage();
  onTestFinished(() => other.close());
  const message = (tab: Page) => tab.getByPlaceholder(english.chat.placeholder);
  for (const [tab, text] of [
    [page, 'Parrots'],
    [other, 'Macaws'],
  ] as const) {
    await show(tab, { address: '/chat' });
    await message(tab).fill(text);
  }
  for (const tab of [page, other]) await tab.reload();
  await expect.poll(() => message(page).inputValue()).toBe('Parrots');
  await expect.poll(() => message(other).inputValue()).toBe('Macaws');
});

test('a draft of an older version of the form fills the fields that there still are', async () => {
  const { page } = visit;
  await show(page, { address: '/webhooks/new' });
  const name = page.getByLabel(english.common.name, { exact: true });
  await name.fill('From an older version');
  await expect.poll(() => stored(page)).toContain('From an older version');
  await page.evaluate(() => {
    for (const [key, text] of Object.entries({ ...localStorage })) {
      if (!key.endsWith(':draft:new-webhook')) continue;
      const item = JSON.parse(text);
      item.value.changes.push({ path: ['gone'], value: { a: 1 } }, { path: ['url'], value: ['lory'] });
      localStorage.setItem(key, JSON.stringify(item));
    }
  });
  visit.complaints.length = 0;
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe('From an older version');
  expect(await page.getByLabel(english.webhooks.url, { exact: true }).inputValue()).not.toContain('lory');
  expect(visit.complaints).toEqual([]);
});

test('a full browser storage is reported while there is time to save', async () => {
  const { page } = visit;
  await show(page, { address: '/webhooks/new' });
  await page.evaluate(() => {
    for (let size = 4_000_000; size > 0; size = Math.floor(size / 2)) {
      for (let isFull = false; !isFull; ) {
        try {
          localStorage.setItem(`filler-${Object.keys(localStorage).length}`, 'x'.repeat(size));
        } catch {
          isFull = true;
        }
      }
    }
  });
  onTestFinished(() =>
    page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('filler-')) localStorage.removeItem(key);
    }),
  );
  await page.getByLabel(english.common.name, { exact: true }).fill('A text that does not fit'.repeat(20));
  await page.getByText(english.common.notKept).waitFor();
  await visit.look('storage-full');
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

test('another account of the same browser finds nothing of the first one', async () => {
  const { page, call } = visit;
  const second = 'bob@example.org';
  await call('POST', '/api/v1/accounts', { user: second, password, role: 'admin' });
  const signIn = async (user: string) => {
    await page.locator('input[autocomplete=username]').fill(user);
    await page.locator('input[autocomplete=current-password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.locator('#content').waitFor();
  };
  await page.goto(`${visit.network.address}/sign-in`);
  await signIn('ada@example.org');
  await show(page, { address: '/webhooks/new' });
  await page.getByLabel(english.common.name, { exact: true }).fill('Only for Ada');
  await expect.poll(() => stored(page)).toContain('Only for Ada');
  await call('DELETE', '/api/v1/user/sessions');
  await page.reload();
  await signIn(second);
  const shown = await show(page, { address: '/webhooks/new' });
  expect(JSON.stringify(await valuesIn(shown))).not.toContain('Only for Ada');
  expect(await stored(page)).not.toContain('Only for Ada');
});
