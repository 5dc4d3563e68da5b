import type { McpMode, McpServer } from './server-queries.ts';

/** A header or variable, as a row of a form. */
export interface Pair {
  name: string;
  value: string;
}

/** Input for a server: the fields of all modes, so that switching modes loses nothing. */
export interface ServerEntry {
  name: string;
  mode: McpMode;
  url: string;
  headers: Pair[];
  timeout: number;
  ssereadtimeout: number;
  command: string;
  args: string[];
  env: Pair[];
}

export const newEntry: ServerEntry = {
  name: '',
  mode: 'http',
  url: '',
  headers: [],
  timeout: 10,
  ssereadtimeout: 30,
  command: '',
  args: [],
  env: [],
};

export function entryOf({ name, mode, extra_args }: Pick<McpServer, 'name' | 'mode' | 'extra_args'>): ServerEntry {
  const { headers, env, ...others } = extra_args as Partial<ServerEntry> & {
    headers?: Record<string, string>;
    env?: Record<string, string>;
  };
  return { ...newEntry, ...others, name, mode, headers: pairsOf(headers), env: pairsOf(env) };
}

/** The request body: only fields of the mode, without empty rows. */
export function requestOf(entry: ServerEntry): Pick<McpServer, 'name' | 'mode' | 'extra_args'> {
  const { mode, timeout, ssereadtimeout, command, args } = entry;
  const remote = { url: entry.url.trim(), headers: recordOf(entry.headers), timeout };
  const extra_args = {
    http: remote,
    sse: { ...remote, ssereadtimeout },
    stdio: { command: command.trim(), args, env: recordOf(entry.env) },
  }[mode];
  return { name: entry.name.trim(), mode, extra_args };
}

function pairsOf(record: Record<string, string> = {}): Pair[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

function recordOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}
