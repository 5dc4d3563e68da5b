import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { accountQuery } from './account.ts';
import { serverAddress } from './server-address.ts';
import { session } from './session.ts';

export type LiveConnection = 'open' | 'lost';

/** How long the connection may be lost before a warning, milliseconds: restarts of the stream are normal. */
const patience = 4000;
/** Events of this period are handled together, milliseconds. */
const gatherTime = 300;
/** Minimum time between refetches, milliseconds. */
const readingPace = 1500;

/** Query keys to invalidate per event type. The first part of a key is the noun. */
const affected: Record<string, readonly string[]> = {
  bot: ['bots', 'bot-log', 'dashboard'],
  task: ['tasks', 'knowledge', 'plugins'],
  message: ['messages', 'bot-log', 'dashboard'],
  'mcp-server': ['mcp-servers'],
};

/**
 * Subscribes to the event stream for all pages and refetches their data. After a lost connection, everything is
 * refetched.
 */
export function useLiveChanges(): LiveConnection {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<LiveConnection>('open');

  useEffect(() => {
    const gatherer = new Gatherer(queries);
    let late: ReturnType<typeof setTimeout> | undefined;
    let reopening: ReturnType<typeof setTimeout> | undefined;
    let source: EventSource | undefined;
    let wasLost = false;

    const open = () => {
      source = new EventSource(`${serverAddress}/api/v1/events`, { withCredentials: true });
      source.onopen = () => {
        clearTimeout(late);
        late = undefined;
        setConnection('open');
        // Missed changes came with the stream, or with `resync`; a page that failed to load retries.
        if (wasLost) void queries.invalidateQueries();
        wasLost = false;
      };
      source.onerror = () => {
        wasLost = true;
        late ??= setTimeout(() => setConnection('lost'), patience);
        // The browser reconnects automatically, except after an error response: a starting or stopping server.
        if (source?.readyState !== EventSource.CLOSED) return;
        reopening = setTimeout(open, patience);
        // Perhaps the session has ended, which the stream does not tell.
        if (!session.isInterrupted()) void queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      };
      for (const type of Object.keys(affected)) source.addEventListener(type, () => gatherer.add(type));
      source.addEventListener('resync', () => void queries.invalidateQueries());
    };
    open();
    return () => {
      clearTimeout(late);
      clearTimeout(reopening);
      gatherer.stop();
      source?.close();
    };
  }, [queries]);

  return connection;
}

/** Refetches changed data, a few times per second at most. */
class Gatherer {
  readonly #queries: QueryClient;
  readonly #nouns = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastReading = Number.NEGATIVE_INFINITY;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  add(type: string): void {
    for (const noun of affected[type] ?? []) this.#nouns.add(noun);
    const pause = this.#lastReading + readingPace - performance.now();
    this.#timer ??= setTimeout(() => this.#read(), Math.max(gatherTime, pause));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #read(): void {
    this.#timer = undefined;
    this.#lastReading = performance.now();
    const keys: QueryKey[] = [...this.#nouns].map((noun) => [noun]);
    this.#nouns.clear();
    for (const queryKey of keys) void this.#queries.invalidateQueries({ queryKey });
  }
}
