import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { ApiClient } from '../../server/test/end-to-end/api-client.ts';
import type { Language } from '../../web/src/lib/i18n.ts';
import type { PageSubject } from './page-subjects.ts';
import { narrow, settled, signedInContext, wide } from './picture.ts';

const sizes = { wide, narrow };
const themes = ['light', 'dark'] as const;
/** Of a picture, in pixels: some lists have no end. */
const greatestHeight = 4000;

/** Where the pictures go, and how the pages are shown. */
export interface Album {
  folder: string;
  language: Language;
  /** The names of the subjects to take. */
  only: RegExp;
  /** Whether to take wide dark and narrow light pictures, too. */
  isComplete: boolean;
}

/**
 * Takes each subject wide and light, and narrow and dark: `<name>-<size>-<theme>.png`, whole pages. Their texts go to
 * `<name>.txt`. Pages that scroll sideways are printed.
 * @param api its token may be empty, for public pages
 */
export async function takePages(
  browser: Browser,
  api: ApiClient,
  album: Album,
  subjects: readonly PageSubject[],
): Promise<void> {
  const context = await signedInContext(browser, api, { viewport: wide, language: album.language });
  // The machine may be busy.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  for (const subject of subjects) if (album.only.test(subject.name)) await takePage(page, api.address, album, subject);
  await context.close();
}

async function takePage(page: Page, address: string, album: Album, subject: PageSubject): Promise<void> {
  const { name, path, before } = subject;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await page.goto(address + path);
    await page.locator(':is(h1, h2):not(aside *)').first().waitFor();
    await before?.(page);
    for (const theme of themes) {
      if (!album.isComplete && (theme === 'dark') !== (size === 'narrow')) continue;
      await page.emulateMedia({ colorScheme: theme });
      await loaded(page);
      await growToContent(page, viewport);
      await page.screenshot({ path: join(album.folder, `${name}-${size}-${theme}.png`) });
      await page.setViewportSize(viewport);
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > viewport.width) console.log(`${name} is ${width} wide in a window of ${viewport.width}`);
  }
  writeFileSync(join(album.folder, `${name}.txt`), await page.locator('body').innerText());
}

async function loaded(page: Page): Promise<void> {
  await settled(page);
  await page.waitForFunction(() => document.querySelector('[class*=animate-pulse]') === null);
  await settled(page);
}

/** Shows the whole page without scrolling, so that bars which stick to the window cover nothing. */
async function growToContent(page: Page, viewport: typeof wide): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: viewport.width, height: Math.min(height, greatestHeight) });
  await settled(page);
}
