import { type Logger, ParleyError } from '@parley/sdk';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { KeyedTurns } from '../../lib/keyed-turns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { Signal } from '../../lib/signal.ts';
import type { ActivePlugin, ActivePlugins } from './active-plugin.ts';
import { type InstalledPlugin, isInstalled, type StoredPlugin, versionsOf } from './plugin.ts';
import type { PluginProcesses } from './plugin-caller.ts';
import type { PluginPackages } from './plugin-packages.ts';
import { programOf } from './plugin-program.ts';
import { openSettings, settingsSchema } from './plugin-settings.ts';
import type { PluginStore } from './plugin-store.ts';
import type { StoredPackages } from './stored-packages.ts';

export interface InstalledPluginsOptions {
  packages: PluginPackages;
  storedPackages: StoredPackages;
  processes: Pick<PluginProcesses, 'set' | 'remove'>;
  secrets: SecretBox;
  logger: Logger;
  /** By the id of the plugin. */
  turns: KeyedTurns;
  /** Whether none may be called. */
  isOff?: boolean;
}

/** The fault of a version whose package is being fetched from the file store. */
export const beingFetched = 'its files are being fetched from the file store';

/** The plugins as they are stored, in memory, and which of them may be called. */
export class InstalledPlugins implements ActivePlugins {
  readonly changed = new Signal();
  readonly #store: PluginStore;
  readonly #options: InstalledPluginsOptions;
  /** One change after the other, so that an earlier state does not replace a later one. */
  readonly #turns = new ConcurrencyLimit(1);
  #records: readonly StoredPlugin[] = [];
  /** What is wrong with the files of versions, by digest. */
  readonly #faults = new Map<string, string>();
  /** Fetches of files that are missing here, by the digest of their version. */
  readonly #fetches = new Map<string, Promise<void>>();
  #storing: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  /** Digests of the versions whose programs are set, by id. */
  readonly #running = new Map<string, string>();

  constructor(store: PluginStore, options: InstalledPluginsOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Reads what is installed, and removes what an interrupted change left behind. Starts no process. */
  async open(): Promise<void> {
    this.#records = await this.#store.list();
    const { packages, logger } = this.#options;
    await packages.removeOthers(this.#records.flatMap(versionsOf)).catch((error: unknown) => {
      logger.warn({ error }, 'files of removed plugins could not be deleted');
    });
    await this.#turns.run(async () => {
      await this.#fetchMissing();
      await this.#apply();
    });
  }

  /**
   * Checks the files of all installed versions. Those that are damaged or gone may not be called; the process of a plugin
   * checks its files as well, so nothing has to wait for this.
   *
   * The packages of versions whose files are here are stored where the file store has none: of those that were installed
   * before packages were stored, and of those whose content was lost.
   */
  async checkFiles(): Promise<void> {
    for (const { id } of this.all()) await this.checkFilesOf(id);
    this.#storing = this.#storePackages();
    await this.#storing;
  }

  /** @returns what is wrong; null when nothing is */
  async checkFilesOf(id: string): Promise<string | null> {
    const plugin = this.get(id);
    if (plugin === null) return null;
    const { digest } = plugin.installed;
    // They are checked when they are fetched.
    if (this.#fetches.has(digest)) return beingFetched;
    const fault = await this.#options.packages.faultOf(plugin.installed);
    await this.#turns.run(async () => {
      if (fault === (this.#faults.get(digest) ?? null)) return;
      if (fault === null) this.#faults.delete(digest);
      else {
        this.#faults.set(digest, fault);
        this.#options.logger.error({ plugin: id, fault }, 'the files of a plugin are damaged');
      }
      await this.#apply();
    });
    return this.faultOf(id);
  }

  /** What is wrong with the files of the installed version, as it was last checked; {@link beingFetched} meanwhile. */
  faultOf(id: string): string | null {
    const digest = this.get(id)?.installed.digest ?? '';
    return this.#fetches.has(digest) ? beingFetched : (this.#faults.get(digest) ?? null);
  }

  /** Waits for work with the file store, which ends early. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([this.#storing, ...this.#fetches.values()]);
  }

  /** Takes over what is stored now, after a change. Files that are missing here are fetched, which is not waited for. */
  async refresh(): Promise<void> {
    await this.#turns.run(async () => {
      this.#records = await this.#store.list();
      await this.#fetchMissing();
      await this.#apply();
    });
  }

  /** In the operator's order. */
  all(): readonly InstalledPlugin[] {
    return this.#records.filter(isInstalled);
  }

  /** @returns null when it is not installed */
  get(id: string): InstalledPlugin | null {
    return this.all().find((plugin) => plugin.id === id) ?? null;
  }

  /** Also one that was uninstalled, while its settings are kept. */
  record(id: string): StoredPlugin | null {
    return this.#records.find((plugin) => plugin.id === id) ?? null;
  }

  isActive({ id, enabled, installed }: InstalledPlugin): boolean {
    return !this.#options.isOff && enabled && installed.consent !== null && this.faultOf(id) === null;
  }

  list(): readonly ActivePlugin[] {
    return this.all()
      .filter((plugin) => this.isActive(plugin))
      .map(({ id, installed, grants, on_failure, admin_addresses }) => ({
        id,
        manifest: installed.manifest,
        grants,
        on_failure,
        admin_addresses,
      }));
  }

  async settings(id: string): Promise<Record<string, unknown>> {
    const plugin = this.get(id);
    if (plugin === null) return {};
    return openSettings(this.#options.secrets, settingsSchema(plugin.installed.manifest), plugin);
  }

  async #fetchMissing(): Promise<void> {
    const { packages, isOff } = this.#options;
    if (isOff || this.#stopping.signal.aborted) return;
    for (const plugin of this.all()) {
      const { digest } = plugin.installed;
      if (this.#fetches.has(digest) || (await packages.has(plugin.installed))) continue;
      this.#fetches.set(digest, this.#fetch(plugin));
    }
  }

  async #fetch({ id, installed }: InstalledPlugin): Promise<void> {
    const { packages, storedPackages, turns, logger } = this.#options;
    const { digest } = installed;
    let fault: string | null = null;
    try {
      await turns.run(id, async () => {
        // It may have been replaced or installed here meanwhile.
        if (this.get(id)?.installed.digest !== digest || (await packages.has(installed))) return;
        await storedPackages.restore(installed, this.#stopping.signal);
      });
    } catch (error) {
      fault =
        error instanceof ParleyError ? error.message : `its package in the file store cannot be read: ${textOf(error)}`;
      if (!this.#stopping.signal.aborted) {
        logger.error({ plugin: id, error }, 'the files of a plugin could not be fetched from the file store');
      }
    }
    await this.#turns.run(async () => {
      this.#fetches.delete(digest);
      if (fault === null) this.#faults.delete(digest);
      else this.#faults.set(digest, fault);
      await this.#apply();
    });
  }

  async #storePackages(): Promise<void> {
    const { storedPackages, turns, logger } = this.#options;
    let areNew = false;
    for (const record of this.#records) {
      for (const version of versionsOf(record)) {
        if (this.#stopping.signal.aborted) return;
        try {
          if (await turns.run(record.id, () => storedPackages.putAgain(version))) areNew = true;
        } catch (error) {
          logger.warn({ plugin: record.id, error }, 'the package of a plugin could not be stored');
        }
      }
    }
    if (areNew) await storedPackages.announce();
  }

  /** Sets the programs of the plugins that may be called, and ends the others. */
  async #apply(): Promise<void> {
    const { processes, packages } = this.#options;
    const active = new Map(
      this.all()
        .filter((plugin) => this.isActive(plugin))
        .map((plugin) => [plugin.id, plugin]),
    );
    const ended = [...this.#running.keys()].filter((id) => !active.has(id));
    for (const [id, { installed }] of active) {
      if (this.#running.get(id) === installed.digest) continue;
      processes.set(programOf(installed, packages));
      this.#running.set(id, installed.digest);
    }
    for (const id of ended) this.#running.delete(id);
    this.changed.emit();
    await Promise.all(ended.map((id) => processes.remove(id)));
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
