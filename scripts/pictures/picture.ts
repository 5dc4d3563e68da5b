import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beginSession } from '../../server/test/browser/begin-session.ts';
import type { ApiClient } from '../../server/test/end-to-end/api-client.ts';
import type { Language } from '../../web/src/lib/i18n.ts';

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };

/** One screenshot. */
export interface Subject {
  name: string;
  path: string;
  theme?: 'light' | 'dark';
  size?: typeof wide;
  language?: Language;
  /** Actions on the page before the screenshot. */
  before?: (page: Page) => Promise<void>;
  /** Must be visible. */
  until: (page: Page) => Promise<void>;
}

/** A browser context that is signed in with the token of a client, and speaks a language. */
export async function signedInContext(
  browser: Browser,
  api: ApiClient,
  options: Parameters<Browser['newContext']>[0] & { language?: Language },
): Promise<BrowserContext> {
  const { language = 'en', ...rest } = options;
  const context = await browser.newContext({ reducedMotion: 'reduce', ...rest });
  if (api.token !== '') await beginSession(context, api.address, api.token);
  await context.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
  return context;
}

/** Takes the screenshot of a subject into a folder. */
export async function take(browser: Browser, api: ApiClient, folder: string, subject: Subject): Promise<void> {
  const { name, path, theme = 'light', size = wide, language = 'en', before, until: ready } = subject;
  const context = await signedInContext(browser, api, { viewport: size, colorScheme: theme, language });
  const page = await context.newPage();
  await page.goto(api.address + path);
  await before?.(page);
  await ready(page);
  await settled(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

/** Waits until animations have finished. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  await delay(300);
}
