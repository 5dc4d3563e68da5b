import type { Page } from 'playwright-core';
import { beginning, fill, kinds } from '../../server/test/browser/texts.ts';
import type { ApiClient } from '../../server/test/end-to-end/api-client.ts';
import { english } from '../../web/src/locales/en/index.ts';
import { narrow, type Subject } from './picture.ts';
import { week } from './sample-installation.ts';

/** Of a form, without the menu beside it. */
const form = { width: 720, height: 1000 };

/** The screenshots of docs/images. */
export async function documentationSubjects(api: ApiClient): Promise<Subject[]> {
  const { bots } = await api.data('GET', '/platform/bots');
  const { bases } = await api.data('GET', '/knowledge/bases');
  const pipeline = `/pipelines/${bots[0].use_pipeline_uuid}`;
  const base = `/knowledge/${bases[0].uuid}`;
  const drawn = (page: Page) => page.locator('.series-chart svg').first().waitFor();
  const formOf = (adapter: 'aiocqhttp' | 'dingtalk' | 'discord' | 'lark' | 'slack') => ({
    size: form,
    path: `/bots/new?adapter=${adapter}`,
    until: (page: Page) => page.getByRole('button', { name: english.bots.test }).waitFor(),
  });
  const dashboard = { path: `/?${week}`, until: drawn };
  return [
    { name: 'dashboard-light', ...dashboard },
    { name: 'dashboard-dark', theme: 'dark', ...dashboard },
    { name: 'dashboard-phone', size: narrow, ...dashboard },
    { name: 'dashboard-chinese', language: 'zh-Hans', ...dashboard },
    {
      name: 'guided-start',
      path: '/start',
      until: (page) => page.getByRole('button', { name: beginning(kinds.telegram) }).waitFor(),
    },
    { name: 'models', path: '/models', until: (page) => page.getByText('gpt-4o-mini').waitFor() },
    { name: 'knowledge-documents', path: base, until: (page) => page.getByText('questions.html').waitFor() },
    {
      name: 'knowledge-playground',
      path: `${base}?tab=playground&q=${encodeURIComponent('Does the museum open on Sundays?')}`,
      until: (page) => page.getByRole('article', { name: fill(english.knowledge.passage, { rank: 1 }) }).waitFor(),
    },
    {
      name: 'debug-chat',
      path: `${pipeline}?tab=chat`,
      before: async (page) => {
        await page.getByRole('textbox', { name: english.chat.placeholder }).fill('Are you open on Sundays?');
        await page.keyboard.press('Enter');
        const answer = page.locator('[data-role=assistant][data-streaming=false]').last();
        await answer.getByText('[1] handbook.md').waitFor();
        await answer.getByRole('button', { name: beginning(english.explain.openNamed) }).click();
      },
      until: (page) =>
        page
          .getByRole('complementary')
          .getByText(fill(english.explain.citedAs, { number: 1 }))
          .first()
          .waitFor(),
    },
    {
      name: 'pipeline',
      theme: 'dark',
      path: `${pipeline}?tab=ai`,
      until: (page) => page.getByRole('checkbox', { name: 'Visitor handbook' }).waitFor(),
    },
    { name: 'platform-dingtalk', ...formOf('dingtalk') },
    { name: 'platform-discord', ...formOf('discord') },
    { name: 'platform-lark', ...formOf('lark') },
    { name: 'platform-onebot', ...formOf('aiocqhttp') },
    { name: 'platform-slack', ...formOf('slack') },
  ];
}
