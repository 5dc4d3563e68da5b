import { setTimeout as sleep } from 'node:timers/promises';
import type { createParleyClient, ParleyClient } from '@parley/client';
import type { Command } from 'commander';
import type { PluginAdministration } from '../../administration.ts';
import { CommandError } from '../command-error.ts';
import { type CommandContext, readConfig } from '../context.ts';
import { addressFromSettings, explained, givenApiKey, serverAddress } from '../server-connection.ts';

/** How long the server may take for one answer, milliseconds. */
const timeoutMs = 120_000;
/** Between two looks at a task, milliseconds. */
const taskIntervalMs = 200;

/** Which server, and who calls it. */
export interface ServerOptions {
  url?: string;
  apiKeyStdin?: true;
}

export function withServerOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the server with its base path (default: as the settings say)', serverAddress)
    .option('--api-key-stdin', 'read the API key from the standard input');
}

/**
 * Whether the command works on the data folder of the settings, whose server is stopped: no server is named, and no key
 * to call one with is given.
 */
export function isForDataFolder({ terminal }: CommandContext, { url, apiKeyStdin }: ServerOptions): boolean {
  return url === undefined && !apiKeyStdin && !terminal.environment.PARLEY_API_KEY?.trim();
}

/** Opens the plugins of the data folder, and closes them afterwards. @throws CommandError while a server runs */
export async function withDataFolder<Result>(
  context: CommandContext,
  use: (plugins: PluginAdministration) => Promise<Result> | Result,
): Promise<Result> {
  const config = await readConfig(context);
  const { InUseError, openPluginAdministration } = await import('../../administration.ts');
  const plugins = await openPluginAdministration(config, (line) => context.output.warn(line)).catch(
    (error: unknown) => {
      if (!(error instanceof InUseError)) throw error;
      throw new CommandError('failed', `a server is running; set PARLEY_API_KEY to have it do this (${error.message})`);
    },
  );
  try {
    return await use(plugins);
  } finally {
    await plugins.close();
  }
}

/** A line of the log of a plugin. The end of the replica's id tells replicas apart. */
export function logLine({ at, level, text, replica }: Record<'at' | 'level' | 'text' | 'replica', string>): string {
  return `${at} ${replica.slice(-4)} ${level} ${text}`;
}

/** What to do with a package, as the route takes it. */
export interface PackageQuery {
  digest: string;
  consent: boolean;
  allow_downgrade: boolean;
  enable?: boolean;
}

/**
 * Uploads a package, and waits until it is installed.
 * @throws CommandError with the reason why it was not
 */
export async function installPackage(
  parley: ParleyClient,
  { content, name, query }: { content: Blob; name: string; query: PackageQuery },
): Promise<{ id: string; version: string; state: string }> {
  const form = new FormData();
  form.append('file', content, name);
  const upload = { params: { query }, body: { file: '' as never }, bodySerializer: () => form };
  const { task_id } = await parley.post('/api/v1/plugins/install/local', upload);
  // The task of an installation has this result.
  return (await endOf(parley, task_id)) as { id: string; version: string; state: string };
}

export function pathOf(id: string): { author: string; name: string } {
  const [author = '', name = '', ...more] = id.split('/');
  if (author === '' || name === '' || more.length > 0) {
    throw new CommandError('invalid_usage', 'a plugin is named as author/name');
  }
  return { author, name };
}

/** Calls the server of the options, and explains what fails. */
export async function withServer<Result>(
  context: CommandContext,
  { url: given, apiKeyStdin }: ServerOptions,
  use: (parley: ParleyClient) => Promise<Result>,
): Promise<Result> {
  const token = await givenApiKey(context, apiKeyStdin === true);
  const url = given ?? (await addressFromSettings(context));
  const client: { createParleyClient: typeof createParleyClient } = await import('@parley/client');
  const parley = client.createParleyClient({
    baseUrl: url,
    token,
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
  });
  try {
    return await use(parley);
  } catch (error) {
    throw error instanceof CommandError ? error : explained(error, url);
  }
}

/** Waits for a task. @returns its result. @throws CommandError with the reason why it failed */
export async function endOf(parley: ParleyClient, id: number): Promise<object> {
  for (;;) {
    const { runtime, task_context } = await parley.get('/api/v1/system/tasks/{id}', { params: { path: { id } } });
    if (!runtime.done) await sleep(taskIntervalMs);
    else if (runtime.exception === null) return Object(runtime.result);
    else {
      const { failure } = task_context.metadata as { failure?: { reason?: string } };
      const message = runtime.exception;
      throw Object.assign(new Error(message), { reason: failure?.reason ?? 'failed' });
    }
  }
}
