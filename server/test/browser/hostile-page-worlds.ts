import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { BrowserContext, Frame, Page } from 'playwright-core';

const folder = join(import.meta.dirname, '..', 'hostile', 'page');
/** The files of the hostile page, by name. */
export const hostileFiles = Object.fromEntries(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** A server of 127.0.0.1 that a test started. */
export interface LocalServer {
  address: string;
  close(): void;
}

async function listen(server: Server): Promise<LocalServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // The server was told to listen at a port.
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A foreign server, which notes the attempts that reach it and answers whatever may have been meant. */
export async function startForeignServer(): Promise<LocalServer & { reached: Set<string> }> {
  const reached = new Set<string>();
  const note = (url = '') => {
    const name = decodeURIComponent(new URL(url, 'http://foreign').pathname.slice(1));
    if (name !== 'favicon.ico') reached.add(name);
  };
  const server = createServer((request, response) => {
    note(request.url);
    const isStream = request.headers.accept === 'text/event-stream';
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'text/javascript').end('/* foreign */');
  });
  server.on('upgrade', (request, socket) => {
    note(request.url);
    socket.destroy();
  });
  return { ...(await listen(server)), reached };
}

/** A server whose page shows the hostile page as one of its own: without a sandbox, and without any policy. */
export async function startOpenServer(): Promise<LocalServer> {
  const text = (response: ServerResponse, type: string, content: string) =>
    response.setHeader('content-type', type).end(content);
  return listen(
    createServer(({ url = '/' }, response) => {
      const { pathname } = new URL(url, 'http://open');
      const file = hostileFiles[pathname.slice('/page/'.length)];
      response.setHeader('set-cookie', 'open=secret');
      if (file !== undefined) return text(response, types[extname(pathname)] ?? 'text/plain', file);
      if (pathname === '/icon.svg') {
        return text(response, 'image/svg+xml', "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>");
      }
      if (pathname === '/theme.js') return text(response, 'text/javascript', '');
      if (pathname !== '/') return text(response, 'application/json', '{}');
      const script = "window.secret = 'secret'; localStorage.secret = 'secret'";
      const frame = '<iframe title="page" src="/page/index.html" allow="fullscreen; clipboard-read"></iframe>';
      text(response, 'text/html', `<title>Open</title><p>secret</p><script>${script}</script>${frame}`);
    }),
  );
}

/** Where the hostile page is shown. */
export interface World {
  page: Page;
  context: BrowserContext;
  /** Address of the server around the page. */
  api: string;
  foreign: LocalServer & { reached: Set<string> };
  /** Reloads the page. */
  show(): Promise<Frame>;
}

export type Kind =
  | 'surroundings'
  | 'code'
  | 'requests'
  | 'exfiltration'
  | 'navigation'
  | 'gestures'
  | 'left'
  | 'allowed';
type Outcomes = Record<string, string>;

/** What the scripts of the hostile page have put into its window. */
interface HostileWindow {
  namesOf(kind: Kind): string[];
  attempt(kind: Kind, names: string[], places: Places): Promise<Outcomes>;
  onGesture(name: string, places: Places): Promise<Outcomes>;
  outcome: Promise<Outcomes>;
}
interface Places {
  api: string;
  foreign: string;
}
declare const window: HostileWindow;

/** The outcome of each attempt of a kind: `nothing`, `refused: …`, `got …`, or where it got through otherwise. */
export async function tryAll(world: World, kind: Kind): Promise<Outcomes> {
  const places = { api: world.api, foreign: world.foreign.address };
  let frame = await world.show();
  const names = await frame.evaluate((of) => window.namesOf(of), kind);
  const outcomes: Outcomes = {};
  if (kind === 'navigation' || kind === 'gestures') {
    const attempt = kind === 'navigation' ? leaving : asking;
    for (const name of names) {
      Object.assign(outcomes, await attempt(world, frame, name, places));
      frame = await world.show();
    }
  } else {
    const all = { of: kind, all: names, at: places };
    Object.assign(outcomes, await frame.evaluate(({ of, all, at }) => window.attempt(of, all, at), all));
  }
  // What was sent has arrived, if it was sent at all.
  await world.page.waitForTimeout(300);
  for (const name of names) {
    if (world.foreign.reached.has(name)) outcomes[name] = 'reached the foreign server';
    // An element may be there, and have loaded nothing.
    else if (kind === 'exfiltration') outcomes[name] = 'nothing';
  }
  return outcomes;
}

/** An attempt that may take the page away. */
async function leaving({ page, foreign }: World, frame: Frame, name: string, places: Places): Promise<Outcomes> {
  const before = page.url();
  const outcome = await frame
    .evaluate(({ one, at }) => window.attempt('navigation', [one], at), { one: name, at: places })
    .catch(() => ({ [name]: 'the document is gone' }));
  for (let waited = 0; waited < 500 && !foreign.reached.has(name); waited += 50) await page.waitForTimeout(50);
  return page.url() === before ? outcome : { [name]: `the window is at ${page.url()}` };
}

/** An attempt after a click. */
async function asking({ page }: World, frame: Frame, name: string, places: Places): Promise<Outcomes> {
  let asked = '';
  const note = (dialog: { type(): string; dismiss(): Promise<void> }) => {
    asked = `a dialog: ${dialog.type()}`;
    void dialog.dismiss();
  };
  page.on('dialog', note);
  await frame.evaluate(
    ({ one, at }) => {
      window.outcome = window.onGesture(one, at);
    },
    { one: name, at: places },
  );
  await frame.locator('#gesture').click();
  const outcome = await frame.evaluate(() => window.outcome);
  page.off('dialog', note);
  return asked === '' ? outcome : { [name]: asked };
}
