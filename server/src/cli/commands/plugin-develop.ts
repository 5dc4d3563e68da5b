import { watch } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ParleyClient } from '@parley/client';
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { failureOf, linesOf } from '../failure.ts';
import { installPackage, logLine, pathOf, type ServerOptions, withServer, withServerOptions } from './plugin-server.ts';

/** Editors write a file in several steps, milliseconds. */
const settleMs = 100;
/** Between two looks at the log, milliseconds. */
const logIntervalMs = 500;
const packages = /\.zip$/;

/** A plugin that is installed again with each change of its sources. */
export function addDevelop(plugin: Command, context: CommandContext): void {
  withServerOptions(plugin.command('dev'))
    .description(
      'install a project in a running server, with consent to all it asks for, and again with each change; prints its log. The API key comes from PARLEY_API_KEY',
    )
    .argument('[folder]', 'the project', '.')
    .option('--keep', 'leave the plugin enabled at the end')
    .addHelpText(
      'after',
      examples('./parley plugin dev units', './parley plugin dev units --url http://127.0.0.1:5300'),
    )
    .action(async (given: string, { keep = false, ...server }: ServerOptions & { keep?: boolean }) => {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      const folder = resolve(context.terminal.workingDirectory, given);
      const id = await withServer(context, server, async (parley) => {
        const developed = new DevelopedPlugin(folder, parley, context);
        await developed.run(stop.signal);
        if (developed.id !== null && !keep) await setEnabled(parley, developed.id, false);
        return developed.id;
      });
      if (id !== null) context.output.note(`${id} is ${keep ? 'still enabled' : 'disabled'}.`);
      context.output.result({ id, enabled: keep }, []);
    });
}

class DevelopedPlugin {
  /** Null while it has not been installed. */
  id: string | null = null;
  readonly #folder: string;
  readonly #parley: ParleyClient;
  readonly #context: CommandContext;
  /** Of the latest package, also of one that could not be installed. */
  #digest = '';
  /** The latest line of each replica. */
  readonly #lastLines = new Map<string, string>();

  constructor(folder: string, parley: ParleyClient, context: CommandContext) {
    this.#folder = folder;
    this.#parley = parley;
    this.#context = context;
  }

  /** Installs it, and again with each change, until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let changed = Promise.withResolvers<void>();
    const watcher = watch(
      this.#folder,
      { recursive: true, signal, ignore: ['**/node_modules/**', '**/.*', '**/.*/**'] },
      (_, name) => {
        if (name === null || !packages.test(name)) changed.resolve();
      },
    );
    watcher.on('error', (error) => changed.reject(error));
    signal.addEventListener('abort', () => changed.resolve(), { once: true });
    const log = this.#followLog(signal);
    try {
      // The first installation fails the command: most of the time the server or the key is wrong.
      await this.#install();
      while (!signal.aborted) {
        await changed.promise;
        await sleep(settleMs);
        changed = Promise.withResolvers();
        if (!signal.aborted) await this.#install().catch((error: unknown) => this.#report(error));
      }
    } finally {
      watcher.close();
    }
    await log;
  }

  async #install(): Promise<void> {
    const { packPlugin } = await import('../../plugin-toolkit/pack-plugin.ts');
    const begun = performance.now();
    const { bytes, inspected } = await packPlugin(this.#folder);
    const { digest, manifest } = inspected;
    if (digest === this.#digest) return;
    this.#digest = digest;
    // It may have been installed before, and disabled since.
    if ((await this.#installedDigest(manifest.id)) === digest) await setEnabled(this.#parley, manifest.id, true);
    else {
      const content = new Blob([new Uint8Array(bytes)]);
      const query = { digest, consent: true, allow_downgrade: true, enable: true };
      await installPackage(this.#parley, { content, name: `${basename(manifest.id)}.zip`, query });
    }
    this.id = manifest.id;
    const milliseconds = Math.round(performance.now() - begun);
    this.#context.output.note(`${manifest.id} ${manifest.version} is installed (${milliseconds} ms)`);
  }

  /** @returns null when it is not installed */
  async #installedDigest(id: string): Promise<string | null> {
    try {
      const { details } = await this.#parley.get('/api/v1/plugins/{author}/{name}', { params: { path: pathOf(id) } });
      return details.installed.digest;
    } catch (error) {
      if (failureOf(error).reason === 'not_found') return null;
      throw error;
    }
  }

  /** Prints the lines that are new. */
  async #followLog(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(logIntervalMs, undefined, { signal }).catch(() => undefined);
      if (this.id === null) continue;
      const params = { path: pathOf(this.id), query: { limit: 1000 } };
      // A server that restarts has none for a moment.
      const found = await this.#parley.get('/api/v1/plugins/{author}/{name}/logs', { params }).catch(() => null);
      for (const [replica, lines] of Map.groupBy(found?.lines ?? [], ({ replica }) => replica)) {
        const texts = lines.map((line) => logLine(line));
        const fresh = texts.slice(texts.lastIndexOf(this.#lastLines.get(replica) ?? '') + 1);
        for (const line of fresh) this.#context.output.note(line);
        this.#lastLines.set(replica, texts.at(-1) ?? '');
      }
    }
  }

  #report(error: unknown): void {
    for (const line of linesOf(failureOf(error))) this.#context.output.warn(line);
  }
}

async function setEnabled(parley: ParleyClient, id: string, enabled: boolean): Promise<void> {
  await parley.put('/api/v1/plugins/{author}/{name}/enabled', { params: { path: pathOf(id) }, body: { enabled } });
}
