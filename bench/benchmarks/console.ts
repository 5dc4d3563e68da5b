import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beginSession } from '../../server/test/browser/begin-session.ts';
import { launchBrowser } from '../../server/test/browser/chromium.ts';
import { english } from '../../web/src/locales/en/index.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { addManual, copyDocument, createRecords, question } from '../lib/filled-console.ts';
import { fillLedger } from '../lib/filled-ledger.ts';
import { withInstallation, withRunning } from '../lib/installation.ts';
import { caller, signIn } from '../lib/program.ts';
import { median, percentile, round } from '../lib/statistics.ts';

type Argument = 'slowdown' | 'repetitions' | 'messages' | 'rows' | 'bots' | 'pipelines' | 'documents' | 'keys';
type Numbers = Record<Argument, number>;

/** The ledger is filled with messages of January. */
const week = 'range=own&from=2026-01-01T00:00:00.000Z&to=2026-01-06T00:00:00.000Z';
/** Pixels per frame, as with a fast mouse wheel: 7200 per second. */
const pace = 120;
/** Frames at the beginning, in the middle and at the end of the list. */
const frames = 80;

/** Measurements of the page. */
interface Noted {
  /** Milliseconds since the navigation. */
  firstPaint: number;
  largestPaint: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Total blocking time: milliseconds of tasks beyond 50 each. */
  blocked: number;
}

export const consoleLoad: Benchmark<Argument> = {
  summary: 'Load times of the console in a browser with an empty cache.',
  defaults: {
    slowdown: 4,
    repetitions: 7,
    messages: 100_000,
    rows: 10_000,
    bots: 200,
    pipelines: 500,
    documents: 5000,
    keys: 60,
  },
  run: (numbers) =>
    withInstallation({ engine: 'sqlite', messengers: [] }, async (installation) => {
      const { base, pipeline } = await withRunning(installation, async ({ address }) => {
        const token = await signIn(address);
        const account = caller(address, { authorization: `Bearer ${token}` });
        const filled = await createRecords(account, numbers);
        await addManual(address, token, account, filled.base);
        return filled;
      });
      const file = join(installation.place.dataDir, 'parley.db');
      fillLedger(file, numbers.messages, 200);
      copyDocument(file, base, numbers.documents);
      return await withRunning(installation, async ({ address }) => {
        const browser = await launchBrowser();
        try {
          const token = await signIn(address);
          const opened = (path: string) => openings(browser, { address, path, token, numbers });
          return {
            sign_in: await openings(browser, { address, path: '/sign-in', token: null, numbers }),
            dashboard: await opened('/'),
            dashboard_with_charts: await opened(`/?${week}`),
            bots_page: await opened('/bots'),
            pipelines_page: await opened('/pipelines'),
            documents_page: await opened(`/knowledge/${base}`),
            messages_page: await opened('/messages'),
            typing: await typing(browser, { address, path: `/pipelines/${pipeline}`, token, numbers }),
            drawer: await drawerOpenings(browser, { address, path: playground(base), token, numbers }),
            scrolling: await scroll(browser, { address, token, numbers }),
            ...numbers,
          };
        } finally {
          await browser.close();
        }
      });
    }),
};

interface Opening {
  address: string;
  path: string;
  token: string | null;
  numbers: Numbers;
}

/** Each in a new context with an empty cache. */
async function openings(browser: Browser, opening: Opening): Promise<Figures> {
  const seen: Awaited<ReturnType<typeof openOnce>>[] = [];
  for (let index = 0; index < opening.numbers.repetitions; index++) seen.push(await openOnce(browser, opening));
  const middle = (value: (one: (typeof seen)[number]) => number) => round(median(seen.map(value)));
  return {
    first_paint_ms: middle(({ firstPaint }) => firstPaint),
    largest_paint_ms: middle(({ largestPaint }) => largestPaint),
    largest_paint_highest_ms: round(Math.max(...seen.map(({ largestPaint }) => largestPaint))),
    blocked_ms: middle(({ blocked }) => blocked),
    layout_shift: round(median(seen.map(({ shift }) => shift)), 3),
    script_gzipped_kb: round(median(seen.map(({ script }) => script)) / 1000, 1),
    nodes: median(seen.map(({ nodes }) => nodes)),
  };
}

async function openOnce(browser: Browser, opening: Opening) {
  const { address, path, numbers } = opening;
  const context = await newContext(browser, opening);
  const page = await context.newPage();
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (/\.js(\?|$)/.test(response.url())) scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.addInitScript(noteDown);
  await slowDown(context, page, numbers.slowdown);
  await page.goto(address + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // All resources of the page are loaded and painted.
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const noted = await page.evaluate(() => (window as unknown as { noted: Noted }).noted);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const script = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return { ...noted, script, nodes };
}

/** Types into the prompt of a pipeline: the time from a key to the next frame, which shows it. */
async function typing(browser: Browser, opening: Opening): Promise<Figures> {
  const context = await newContext(browser, opening);
  const page = await context.newPage();
  await page.goto(opening.address + opening.path);
  const prompt = page.locator('textarea').first();
  await prompt.waitFor();
  await prompt.fill('You answer questions on {{platform}} in the language of the user. '.repeat(40));
  await page.evaluate(notePressedKeys);
  await slowDown(context, page, opening.numbers.slowdown);
  await prompt.press('End');
  for (let index = 0; index < opening.numbers.keys; index++) await prompt.press('a');
  const took = await page.evaluate(() => (window as unknown as { keys: number[] }).keys);
  await context.close();
  return {
    keys: took.length,
    key_p50_ms: round(percentile(took, 0.5), 1),
    key_p95_ms: round(percentile(took, 0.95), 1),
    key_longest_ms: round(Math.max(...took), 1),
  };
}

/** The drawer of a passage, from the click: its text, and the picture of its page. The first has no cached picture. */
async function drawerOpenings(browser: Browser, opening: Opening): Promise<Figures> {
  const took: { text: number; picture: number }[] = [];
  for (let index = 0; index <= opening.numbers.repetitions; index++) {
    const context = await newContext(browser, opening);
    const page = await context.newPage();
    await page.goto(opening.address + opening.path);
    await page.getByRole('button', { name: english.knowledge.showPassage }).first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await slowDown(context, page, opening.numbers.slowdown);
    took.push(await page.evaluate(openDrawer, english.knowledge.showPassage));
    await context.close();
  }
  const [first, ...later] = took;
  return {
    first_text_ms: round(first?.text ?? Number.NaN),
    first_picture_ms: round(first?.picture ?? Number.NaN),
    text_ms: round(median(later.map(({ text }) => text))),
    picture_ms: round(median(later.map(({ picture }) => picture))),
  };
}

const playground = (base: string) => `/knowledge/${base}?tab=playground&q=${encodeURIComponent(question)}`;

/** Scrolls a long list from start to end in a few seconds. */
async function scroll(browser: Browser, opening: Omit<Opening, 'path'>): Promise<Figures> {
  const { address, numbers } = opening;
  const context = await newContext(browser, opening);
  const page = await context.newPage();
  await page.goto(`${address}/messages`);
  const [first] = (await page.evaluate(async () => {
    const headers = { 'x-parley-console': '1' };
    return (await (await fetch('api/v1/messages?limit=1', { headers })).json()).data.messages;
  })) as { uuid: string }[];
  // The API returns pages, so a single response with all messages is faked.
  const messages = Array.from({ length: numbers.rows }, (_, index) => ({
    ...first,
    uuid: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    text: `Note ${index}`,
  }));
  await page.route('**/api/v1/messages?*', (route) =>
    route.fulfill({ json: { code: 0, msg: 'ok', data: { messages, next_cursor: null } } }),
  );
  await page.reload();
  await page.getByText('Note 0', { exact: true }).waitFor();
  const asItIs = await page.evaluate(scrollThrough, { pace, frames });
  await slowDown(context, page, numbers.slowdown);
  const slowed = await page.evaluate(scrollThrough, { pace, frames });
  await context.close();
  return { as_it_is: frameFigures(asItIs), slowed: frameFigures(slowed) };
}

function frameFigures(milliseconds: number[]): Figures {
  return {
    frame_p50_ms: round(percentile(milliseconds, 0.5), 1),
    frame_p95_ms: round(percentile(milliseconds, 0.95), 1),
    frame_longest_ms: round(Math.max(...milliseconds), 1),
    frames_over_50_ms: milliseconds.filter((one) => one > 50).length,
    frames: milliseconds.length,
  };
}

async function newContext(browser: Browser, { address, token }: Omit<Opening, 'path'>): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  if (token !== null) await beginSession(context, address, token);
  return context;
}

async function slowDown(context: BrowserContext, page: Page, rate: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Runs in the page, before its scripts. */
function noteDown(): void {
  const noted: Noted = { firstPaint: 0, largestPaint: 0, shift: 0, blocked: 0 };
  Object.assign(window, { noted });
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry);
    }).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.firstPaint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    noted.largestPaint = startTime;
  });
  watch('layout-shift', (entry) => {
    noted.shift += (entry as PerformanceEntry & { value: number }).value;
  });
  watch('longtask', ({ duration }) => {
    noted.blocked += Math.max(0, duration - 50);
  });
}

/** Runs in the page. */
function notePressedKeys(): void {
  const keys: number[] = [];
  Object.assign(window, { keys });
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      // The frame that shows the key has been drawn when the task after it runs.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => keys.push(performance.now() - timeStamp);
        port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

/** Runs in the page. @returns milliseconds until the passage and the loaded picture are there */
async function openDrawer(label: string): Promise<{ text: number; picture: number }> {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === label);
  const started = performance.now();
  button?.click();
  const until = async (isThere: () => boolean) => {
    while (!isThere()) {
      if (performance.now() - started > 30_000) throw new Error('The drawer did not open in time');
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - started;
  };
  const picture = () => document.querySelector<HTMLImageElement>('dialog[open] img');
  return {
    text: await until(() => document.querySelector('dialog[open] [data-passage]') !== null),
    picture: await until(() => picture()?.complete === true && (picture()?.naturalWidth ?? 0) > 0),
  };
}

/** Runs in the page. @returns the duration of each frame, milliseconds */
async function scrollThrough({ pace, frames }: { pace: number; frames: number }): Promise<number[]> {
  const list = document.querySelector('ul[aria-label]:has(> li)') as HTMLElement;
  const box = list.parentElement as HTMLElement;
  const frame = () => new Promise<number>((done) => requestAnimationFrame(() => done(performance.now())));
  const took: number[] = [];
  for (const place of [0, 0.5, 1]) {
    box.scrollTop = (box.scrollHeight - box.clientHeight) * place - (place === 1 ? pace * frames : 0);
    // The duration of a jump is not counted.
    for (let index = 0; index < 10; index++) await frame();
    let before = await frame();
    for (let index = 0; index < frames; index++) {
      box.scrollTop += pace;
      const now = await frame();
      took.push(now - before);
      before = now;
    }
  }
  return took;
}
