import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { testSetupToken } from '../factories/test-setup-token.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { type BreakableNetwork, createBreakableNetwork } from './breakable-network.ts';
import { launchBrowser } from './browser.ts';
import { startServiceWithConsole } from './service-process.ts';

const user = 'ada@example.org';
const password = 'correct horse battery';
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };
/** A folder for pictures of every page, for who wants to look at them. */
const pictures = process.env.TEST_PICTURES;
const looksAtEverything = looksClosely || pictures !== undefined;
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Calls the API as the person who is signed in. */
export type Call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by their path
) => Promise<any>;

/** A signed-in user of a separate service, in a real browser. */
export interface ConsoleVisit {
  page: Page;
  context: BrowserContext;
  /** Of the service itself, past the network that can be broken. */
  address: string;
  /** Folder of the service's data. */
  dataDir: string;
  network: BreakableNetwork;
  /** For what a page needs to be there before it is opened. */
  call: Call;
  /** A user token of the same account, of another session than the browser's. */
  token: string;
  /** What the browser complained about: script errors, failed loads, breaches of the content security policy. */
  complaints: string[];
  /** Goes to a path of the console and waits for its heading. */
  open(path: string): Promise<void>;
  /** Stops the service and starts it again, at the same address. */
  restart(): Promise<void>;
  /**
   * Looks at the present page, wide and narrow: nothing sticks out to the side. Where it looks closely, in light and
   * dark, axe finds no violation either, and pictures are left where they are wanted.
   */
  look(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function visitConsole({
  locale = 'en-US',
  environment = {},
}: {
  locale?: string;
  /** More settings of the service. */
  environment?: Record<string, string>;
} = {}): Promise<ConsoleVisit> {
  const service = await startServiceWithConsole({ environment });
  const network = await createBreakableNetwork(service.address);
  const browser = await launchBrowser();
  const { call, token } = await signedIn(service.address);
  const context = await browser.newContext({ viewport: wide, colorScheme: 'light', locale });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await signIn(page, network.address, call);
  return {
    page,
    context,
    address: service.address,
    dataDir: service.dataDir,
    network,
    call,
    token,
    complaints,
    open: async (path) => {
      await page.goto(network.address + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    restart: service.restart,
    look: (name) => look(page, name),
    close: async () => {
      await close(browser);
      await network.close();
      await service.stop();
    },
  };
}

async function signedIn(address: string): Promise<{ call: Call; token: string }> {
  let token = '';
  const call: Call = async (method, path, body) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: unknown };
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  await call('POST', '/api/v1/user/init', { user, password, setup_token: testSetupToken });
  token = (await call('POST', '/api/v1/user/auth', { user, password })).token;
  return { call, token };
}

async function signIn(page: Page, address: string, call: Call): Promise<void> {
  await call('GET', '/api/v1/user/info');
  await page.goto(`${address}/sign-in`);
  // Whatever language the page speaks, the fields are these.
  await page.locator('input[autocomplete=username]').fill(user);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('#content').waitFor();
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.location().url})`);
  });
  return complaints;
}

async function look(page: Page, name: string): Promise<void> {
  for (const theme of looksAtEverything ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport);
      await settled(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (pictures) {
        await page.screenshot({ path: join(pictures, `${name}-${theme}-${viewport.width}.png`), fullPage: true });
      }
      expect(width, `${name} is wider than a window of ${viewport.width}`).toBe(viewport.width);
    }
    if (looksAtEverything) expect(await violations(page), `${name}, ${theme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.setViewportSize(wide);
}

/** Until colours and places that change slowly have arrived; what turns for ever is left alone. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** What axe finds wrong with the page as it is, by WCAG 2.2 A and AA. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const results = (await page.evaluate(() =>
    (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    }),
  )) as AxeResults;
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  );
}

async function close(browser: Browser): Promise<void> {
  await browser.close();
}
