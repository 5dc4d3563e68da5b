import type { paths } from '@parley/client';
import { expect, onTestFinished, vi } from 'vitest';
import type { Call, Verb } from './call.ts';
import { uploadRequests } from './fake-upload-request.ts';
import type { english } from './texts.ts';

/** The `data` of a successful response. */
type DataOf<Path extends keyof paths, Method extends Verb> = paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

/** An error response; `status` 0 stands for none at all. */
export class Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers: Record<string, string>;

  constructor(status: number, body: object, headers: Record<string, string>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

interface RefusalOptions {
  /** The text of the server. */
  msg?: string;
  details?: { path: string; message: string }[];
  headers?: Record<string, string>;
}

export function refusal(status: number, reason: keyof typeof english.reasons, options: RefusalOptions = {}): Refusal {
  const { msg = `refused: ${reason}`, details, headers = {} } = options;
  return new Refusal(status, { code: -1, msg, reason, ...(details && { details }) }, headers);
}

/** The server cannot be reached. */
export const unreachable = new Refusal(0, {}, {});

type Answer<Data> = Data | Refusal | ((call: Call) => Data | Refusal | Promise<Data | Refusal>);

interface Route {
  method: Verb;
  path: RegExp;
  answer: Answer<unknown>;
}

/** Answers the requests of the console by route, in the place of `fetch` and of uploads. */
export class FakeServer {
  /** In order. */
  readonly calls: Call[] = [];
  /** Requests to routes without an answer, `get /api/v1/tools`; the test fails if there are any. */
  readonly unexpected: string[] = [];
  readonly #routes: Route[] = [];

  /** Sets the answer of a route, with the fields that its schema requires. The latest answer counts. */
  on<Path extends keyof paths & string, Method extends Verb>(
    method: Method,
    path: Path,
    answer: Answer<DataOf<Path, Method>>,
  ): this {
    return this.#set(method, path, answer);
  }

  /** The same for a route that a test does not spell. */
  refuse(method: Verb, path: string, answer: Refusal): this {
    return this.#set(method, path, answer);
  }

  /** The requests to a route, in order. */
  callsTo(method: Verb, path: string): Call[] {
    return this.calls.filter((call) => call.method === method && call.path === path);
  }

  #set(method: Verb, path: string, answer: Answer<unknown>): this {
    this.#routes.unshift({ method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), answer });
    return this;
  }

  /** @throws TypeError if the server cannot be reached, as `fetch` does */
  async answer(call: Call): Promise<Response> {
    this.calls.push(call);
    const route = this.#routes.find(({ method, path }) => method === call.method && path.test(call.path));
    if (route === undefined) {
      this.unexpected.push(`${call.method} ${call.path}`);
      throw new TypeError(`No answer for ${call.method} ${call.path}`);
    }
    const { answer } = route;
    const result = await Promise.race([typeof answer === 'function' ? answer(call) : answer, abortOf(call.signal)]);
    if (!(result instanceof Refusal)) return Response.json({ code: 0, msg: 'ok', data: result });
    if (result.status === 0) throw new TypeError('Failed to fetch');
    return Response.json(result.body, { status: result.status, headers: result.headers });
  }
}

/** Starts a server for this test. */
export function startFakeServer(): FakeServer {
  const server = new FakeServer();
  // The bell on every page.
  server.on('get', '/api/v1/alerts', { alerts: [], next_cursor: null });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    return server.answer({
      method: request.method.toLowerCase() as Verb,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
      signal: request.signal,
      progress: () => undefined,
    });
  });
  vi.stubGlobal('XMLHttpRequest', uploadRequests(server));
  onTestFinished(() => expect(server.unexpected).toEqual([]));
  return server;
}

function abortOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new DOMException('The request was aborted', 'AbortError')));
  return promise;
}
