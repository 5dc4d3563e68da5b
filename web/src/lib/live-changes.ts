import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverAddress } from './server-address.ts';

export type LiveConnection = 'open' | 'lost';

/** Longest time without a connection before it is said, milliseconds: a restart of the stream is no news. */
const patience = 4000;
/** Changes of this long are looked at together, milliseconds. */
const gatherTime = 300;
/** Least time between two readings, milliseconds: where much happens, each has to come to its end. */
const readingPace = 1500;

/** What is read anew when something of a type changed. The first part of a key names the noun. */
const affected: Record<string, readonly string[]> = {
  bot: ['bots', 'bot-log', 'dashboard'],
  task: ['tasks', 'knowledge'],
  message: ['messages', 'bot-log', 'dashboard'],
  'mcp-server': ['mcp-servers'],
};

/**
 * Watches one stream of changes for all pages and reads anew what they show. After a time without a connection,
 * everything is read anew.
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
        // What changed meanwhile came with the stream, or with `resync`; a page that failed to load tries again.
        if (wasLost) void queries.invalidateQueries();
        wasLost = false;
      };
      source.onerror = () => {
        wasLost = true;
        late ??= setTimeout(() => setConnection('lost'), patience);
        // The browser tries again by itself, except after an answer that is no stream: a server that starts or stops.
        if (source?.readyState === EventSource.CLOSED) reopening = setTimeout(open, patience);
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

/** Reads anew what changed, at most a few times a second, however many changes come. */
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
