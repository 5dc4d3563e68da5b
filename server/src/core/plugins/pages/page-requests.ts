import { ParleyError, type Reason } from '@parley/sdk';
import { ConcurrencyLimit } from '../../../lib/concurrency-limit.ts';
import { hostFor, type PluginCalls } from '../contributions/plugin-calls.ts';
import { type PageSources, shownPage } from './shown-page.ts';

/** A request of a page to the handler of its plugin. */
export interface PageRequest {
  endpoint: string;
  method: string;
  /** JSON; null for none. */
  body: unknown;
}

export interface PageRequestsOptions extends Pick<PageSources, 'plugins'> {
  calls: PluginCalls;
}

interface Requests {
  limit: ConcurrencyLimit;
  /** Those that run or wait. */
  open: number;
}

/** Longest time of a request, with waiting, milliseconds. */
const longestRequest = 60_000;
/** Most requests of pages that a plugin answers at once: half of its calls are left for messages. */
const mostAtOnce = 4;
/** Most requests of pages of a plugin that run or wait. */
const mostOpen = 64;
/** Largest result as JSON, bytes. */
const largestResult = 1 << 20;

/**
 * Passes requests of pages to the handlers of their plugins. A handler is told what is requested and not by whom: the
 * caller's rights are checked before, and no credential is passed on.
 */
export class PageRequests {
  readonly #options: PageRequestsOptions;
  /** By the id of the plugin. */
  readonly #requests = new Map<string, Requests>();

  constructor(options: PageRequestsOptions) {
    this.#options = options;
  }

  /**
   * @returns the result of the handler, as JSON
   * @throws ParleyError as `shownPage`; `plugin_busy`; `plugin_timeout` and the other failures of processes;
   *   `plugin_failed` with the message of the handler, and its reason as a detail; the reason of the signal
   */
  async call(id: string, page: string, request: PageRequest, signal: AbortSignal): Promise<unknown> {
    const { plugins, calls } = this.#options;
    const deadline = performance.now() + longestRequest;
    shownPage({ plugins, active: calls.plugins }, id, page);
    return this.#inTurn(id, async () => {
      signal.throwIfAborted();
      const result = await calls.caller
        .call({
          plugin: id,
          method: 'page',
          parameters: { name: page, ...request },
          timeoutMs: Math.max(1, deadline - performance.now()),
          signal,
          host: hostFor(calls, id, null),
        })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw failureOf(error);
        });
      if (Buffer.byteLength(JSON.stringify(result ?? null)) > largestResult) {
        throw new ParleyError('plugin_response_invalid', 'The result of a page may have 1 MB');
      }
      return result ?? null;
    });
  }

  async #inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const requests = this.#requests.get(id) ?? { limit: new ConcurrencyLimit(mostAtOnce), open: 0 };
    if (requests.open >= mostOpen) throw new ParleyError('plugin_busy', `Too many requests of pages of ${id}`);
    this.#requests.set(id, requests);
    requests.open += 1;
    try {
      return await requests.limit.run(work);
    } finally {
      requests.open -= 1;
      if (requests.open === 0) this.#requests.delete(id);
    }
  }
}

/** What a call fails with when there is something the matter with the process, not with the request. */
const failuresOfProcesses: ReadonlySet<Reason> = new Set([
  'plugin_not_running',
  'plugin_busy',
  'plugin_timeout',
  'plugin_crashed',
  'plugin_paused',
  'plugin_files_changed',
  'plugin_isolation_missing',
  'plugin_response_invalid',
]);

/**
 * A handler may name any reason. None of them is ours to answer with: `unauthorized` of a plugin must not end the
 * session of the caller.
 */
function failureOf(error: unknown): unknown {
  if (!(error instanceof ParleyError) || failuresOfProcesses.has(error.reason)) return error;
  return new ParleyError('plugin_failed', error.message, {
    details: [{ path: 'reason', message: error.reason }],
    cause: error,
  });
}
