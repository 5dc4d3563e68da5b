// An operator with the console open, in a process of its own, so that nothing but the service makes pages late.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { serveFunctions } from '../lib/child-program.ts';
import { openLoop } from '../lib/open-loop.ts';

/** Pages that an operator opened. */
export interface Visits {
  /** From when each page was due until its last response, milliseconds. */
  dashboard: number[];
  messages: number[];
  /** The request that took longest. */
  slowest: { path: string; milliseconds: number };
  /** Of requests: their paths and what came instead of a 200. */
  failures: string[];
}

/** Requests of a page: those of a group start together, when all of the previous group have their responses. */
type PageRequests = readonly (readonly string[])[];

/** Connections of a browser to one server. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 });
/** Longest wait for a response, milliseconds. */
const patienceMs = 60_000;
/** Time after which a browser opens a lost event stream again, milliseconds. */
const reopenMs = 3000;
const day = 24 * 3_600_000;

/** Requests of the dashboard in a browser whose cache has the assets. */
function dashboard(now: number): PageRequests {
  const at = (time: number) => new Date(time).toISOString();
  const today = { startTime: at(now - day), endTime: at(now) };
  const yesterday = { startTime: at(now - 2 * day), endTime: at(now - day - 1) };
  const hours = { ...today, interval: 'hour', metric: 'messages' };
  const monitoring = (name: string, query: Record<string, string>) =>
    `/api/v1/monitoring/${name}?${new URLSearchParams(query)}`;
  return [
    ['/', '/theme.js'],
    ['/api/v1/user/check-token', '/api/v1/system/info', '/api/v1/messages?limit=1'],
    [
      '/api/v1/user/info',
      '/api/v1/platform/bots',
      monitoring('figures', today),
      monitoring('figures', yesterday),
      monitoring('costs', { ...today, groupBy: 'model' }),
      '/api/v1/provider/model-prices',
      monitoring('series', hours),
      monitoring('errors', { startTime: today.startTime, limit: '6', offset: '0' }),
      monitoring('costs', { ...today, groupBy: 'bot' }),
    ],
  ];
}

/** The same of the list of messages. */
const messages: PageRequests = [
  ['/messages', '/theme.js'],
  ['/api/v1/user/check-token'],
  ['/api/v1/user/info', '/api/v1/platform/bots', '/api/v1/pipelines', '/api/v1/messages?limit=200'],
  ['/api/v1/messages?limit=50'],
];

/** Signs in with a token, as `POST /api/v1/user/auth` gives one. @returns the cookie of the session */
async function beginSession(address: string, token: string): Promise<string> {
  const response = await fetch(`${address}/api/v1/user/check-token`, { headers: { authorization: `Bearer ${token}` } });
  const [cookie] = response.headers.getSetCookie();
  if (!response.ok || cookie === undefined) throw new Error(`No session was given: ${response.status}`);
  return cookie.split(';')[0] ?? '';
}

function noVisits(): Visits {
  return { dashboard: [], messages: [], slowest: { path: '', milliseconds: 0 }, failures: [] };
}

/** Opens one page a second, the two in turns, and follows the event stream, until it is stopped. */
async function visit(address: string, cookie: string, signal: AbortSignal): Promise<Visits> {
  const visits = noVisits();
  const headers = { cookie, origin: address, 'x-parley-console': '1', 'accept-encoding': 'gzip, deflate, br' };

  /** Resolves with the status when the whole response was received. */
  const get = (path: string, ended: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${address}${path}`, { agent, headers, signal: ended }, (response) => {
        response.once('end', () => resolve(response.statusCode ?? 0)).once('error', reject);
        response.resume();
      });
      asked.once('error', reject);
      asked.end();
    });
  const load = async (path: string) => {
    const begun = performance.now();
    const failure = await get(path, AbortSignal.timeout(patienceMs)).then(
      (status) => (status === 200 ? null : `status ${status}`),
      (error: unknown) => String(error),
    );
    if (failure !== null) visits.failures.push(`${path}: ${failure}`);
    const milliseconds = performance.now() - begun;
    if (milliseconds > visits.slowest.milliseconds) visits.slowest = { path, milliseconds };
  };
  const open = async (page: 'dashboard' | 'messages', due: number) => {
    const requests = page === 'dashboard' ? dashboard(Date.now()) : messages;
    for (const group of requests) await Promise.all(group.map(load));
    visits[page].push(performance.now() - due);
  };
  /** A lost stream is opened again, as in a browser; only one that is refused is a failure. */
  const follow = async () => {
    while (!signal.aborted) {
      const status = await get('/api/v1/events', signal).catch(() => 200);
      if (status !== 200) visits.failures.push(`/api/v1/events: status ${status}`);
      await delay(reopenMs, undefined, { signal }).catch(() => undefined);
    }
  };

  const opened: Promise<void>[] = [];
  const following = follow();
  await openLoop({ rate: 1, seconds: Number.MAX_SAFE_INTEGER, signal }, (index, due) => {
    opened.push(open(index % 2 === 0 ? 'dashboard' : 'messages', due));
  });
  await Promise.all([...opened, following]);
  return visits;
}

let stop = new AbortController();
let visiting: Promise<Visits> | null = null;

const functions = {
  begin: async (address: string, token: string) => {
    const cookie = await beginSession(address, token);
    stop = new AbortController();
    visiting = visit(address, cookie, stop.signal);
  },
  /** @returns what was seen since the beginning, when the last page is there. */
  end: () => {
    stop.abort();
    return visiting ?? noVisits();
  },
};
export type OperatorFunctions = typeof functions;

serveFunctions(functions);
