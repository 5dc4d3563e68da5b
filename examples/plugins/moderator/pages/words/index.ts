import { openPluginPage, type PluginPageLook } from '@parley/sdk/page';

/** A word of the list, as the plugin returns it. */
interface ListedWord {
  word: string;
  count: number;
}

const texts = {
  en: { word: 'Word', count: 'Found', add: 'Add', remove: 'Remove', none: 'No words yet' },
  'zh-Hans': { word: '词', count: '出现次数', add: '添加', remove: '移除', none: '还没有词' },
  ja: { word: '語', count: '検出回数', add: '追加', remove: '削除', none: '語がまだありません' },
};

const page = await openPluginPage();
const input = element('word', HTMLInputElement);
const rows = element('words', HTMLTableSectionElement);
const status = element('status', HTMLElement);

page.onLook(show);
show(page);
// The sandbox of a page sends no forms.
element('add', HTMLButtonElement).addEventListener('click', () => void add());
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') void add();
});

async function add(): Promise<void> {
  const word = input.value;
  // At once: the next word may be typed before this one is stored.
  input.value = '';
  if (!(await change('add', word)) && input.value === '') input.value = word;
}

function show({ theme, language }: PluginPageLook): void {
  document.documentElement.style.colorScheme = theme;
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll<HTMLElement>('[data-text]')) {
    place.textContent = wording()[place.dataset.text as keyof (typeof texts)['en']];
  }
  void list();
}

function wording() {
  const { language } = page;
  return language === 'zh-Hans' || language === 'ja' ? texts[language] : texts.en;
}

async function list(): Promise<void> {
  await reported(async () => {
    const words = (await page.call('list')) as ListedWord[];
    rows.replaceChildren(...words.map(row));
    status.textContent = words.length === 0 ? wording().none : '';
  });
}

/** @returns whether it was changed */
async function change(endpoint: 'add' | 'remove', word: string): Promise<boolean> {
  return await reported(async () => {
    await page.call(endpoint, { method: 'POST', body: { word } });
    await list();
  });
}

/** A failure is shown where a screen reader reads it. */
async function reported(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
    return false;
  }
}

function row({ word, count }: ListedWord): HTMLTableRowElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = wording().remove;
  button.setAttribute('aria-label', `${wording().remove}: ${word}`);
  button.addEventListener('click', () => void change('remove', word));
  const made = document.createElement('tr');
  for (const content of [word, String(count), button]) made.insertCell().append(content);
  return made;
}

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${id}.`);
}
