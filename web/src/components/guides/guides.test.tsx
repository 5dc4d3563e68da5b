import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { QueryClient } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { english } from '../../../testing/texts.ts';
import { createConsoleRouter } from '../../router.tsx';
import { navigation } from '../navigation.ts';
import { guideTarget, headingAnchor } from './guide-address.ts';
import { guides, guidesIn } from './guide-list.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const files = globSync('{*,platforms/*}.md', { cwd: docs });
const nameOf = (file: string) =>
  file === join('platforms', 'README.md') ? 'platforms' : basename(file, '.md').replace('.zh', '-zh');
const textOf = (file: string) => readFileSync(join(docs, file), 'utf8');
const headings = (text: string) =>
  text
    .replace(/^```.*?^```/gms, '')
    .matchAll(/^#+ (.+)$/gm)
    .map(([, title]) => String(title));

describe('list of guides', () => {
  it('has every guide of the repository with its title, once', () => {
    const written = files.map((file) => [nameOf(file), headings(textOf(file)).next().value]);
    expect(guides.map(({ name, title }) => [name, title]).sort()).toEqual(written.sort());
  });

  it('has guides in the language of the console where they exist', () => {
    expect(guidesIn('zh-Hans').map(({ name }) => name)).toEqual(expect.arrayContaining(['lark-zh', 'telegram']));
    expect(guidesIn('zh-Hans').map(({ name }) => name)).not.toContain('lark');
    expect(guidesIn('ja').map(({ name }) => name)).not.toContain('lark-zh');
  });
});

describe('links of guides', () => {
  it.each(files)('%s links to headings and pictures that exist', (file) => {
    const text = textOf(file).replace(/^```.*?^```|`!\[[^`]*`/gms, '');
    for (const [, isImage, address = ''] of text.matchAll(/(!?)\[(?:[^\]]*)\]\(([^)\s]+)\)/g)) {
      if (isImage) {
        expect(existsSync(resolve(docs, dirname(file), address)), address).toBe(true);
        continue;
      }
      const target = guideTarget(address);
      if (target?.kind === 'site' || target?.kind === 'api') continue;
      if (target === null) {
        // No guide: it must be a file of the repository that is none.
        const path = resolve(docs, dirname(file), address.split('#')[0] ?? '');
        expect(existsSync(path), address).toBe(true);
        expect(files, address).not.toContain(relative(docs, path));
        continue;
      }
      const other = target.kind === 'heading' ? file : files.find((one) => nameOf(one) === target.name);
      const anchors = [...headings(textOf(other ?? ''))].map((title) => headingAnchor(title.replaceAll('`', '')));
      if (target.hash !== '') expect(anchors, address).toContain(decodeURIComponent(target.hash));
    }
  });
});

describe('guide of a page', () => {
  const routes: Record<string, { options: { staticData?: { guide?: string }; component?: unknown } }> =
    createConsoleRouter(new QueryClient()).routesByPath;
  const withoutGuide = ['/sign-in', '/set-up', '/reset-password', '/sign-in/oidc', '/guides', '/guides/$name', '/$'];
  const pages = Object.entries(routes).filter(
    ([path, { options }]) => options.component && !withoutGuide.includes(path),
  );

  it.each(pages)('%s names one', (_, route) => {
    expect(guides.map(({ name }) => name)).toContain(route.options.staticData?.guide);
  });

  it('is known for every page of the menu', () => {
    const menu = navigation.flatMap(({ items }) => items.map(({ to }) => to)).filter((to) => to !== '/guides');
    expect(pages.map(([path]) => path)).toEqual(expect.arrayContaining(menu));
  });

  it('is one click away, with its headings, links and pictures', async () => {
    const server = startFakeServer().on('get', '/api/v1/platform/bots', { bots: [] });
    server.on('get', '/api/v1/system/info', refusal(503, 'not_ready'));
    server.on('get', '/api/v1/platform/adapters', { adapters: [] }).on('get', '/api/v1/pipelines', { pipelines: [] });
    const { router } = await openConsole('/bots', server);
    await userEvent.click(await screen.findByRole('link', { name: english.navigation.guide }));
    const heading = await screen.findByRole('heading', { level: 2, name: 'When a bot is not connected' });
    expect(heading.id).toBe('when-a-bot-is-not-connected');
    expect(router.state.location.pathname).toBe('/guides/bots');
    await userEvent.click(within(screen.getByRole('article')).getByRole('link', { name: 'Telegram' }));
    await screen.findByRole('heading', { level: 1, name: 'Telegram' });
    expect(router.state.location.pathname).toBe('/guides/telegram');
    expect(screen.getByRole('img').getAttribute('src')).toMatch(/guided-start.*\.png$/);
  });

  it('is not found under another name', async () => {
    await openConsole('/guides/nothing', startFakeServer());
    await screen.findByText(english.common.notFound);
  });
});
