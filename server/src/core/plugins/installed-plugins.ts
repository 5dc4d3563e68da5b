import { type Logger, ParleyError } from '@parley/sdk';
import pRetry from 'p-retry';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { KeyedTurns } from '../../lib/keyed-turns.ts';
import { retryableError } from '../../lib/retryable-error.ts';
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
  /** In place of {@link fetchPauses}. */
  pauses?: typeof fetchPauses;
}

/** Pauses between two attempts to fetch a package, milliseconds. */
const fetchPauses = { minTimeout: 1000, maxTimeout: 60_000 };

/** The fault of a version whose package is being fetched from the file store. */
export const beingFetched = 'its files are being fetched from the file store';

/** A package that is being fetched until that succeeds. */
interface PackageFetch {
  /** Why the latest attempt failed; null during the first. */
  fault: string | null;
  /** Whether the next attempt is waited for. */
  isPausing: boolean;
  end: AbortController;
  done: Promise<void>;
}

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
  readonly #fetches = new Map<string, PackageFetch>();
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
    if (this.#fetches.has(digest)) return this.faultOf(id);
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

  /**
   * What is wrong with the files of the installed version, as it was last checked: {@link beingFetched}, or why they could
   * not be fetched yet.
   */
  faultOf(id: string): string | null {
    const digest = this.get(id)?.installed.digest ?? '';
    const fetch = this.#fetches.get(digest);
    return fetch === undefined ? (this.#faults.get(digest) ?? null) : (fetch.fault ?? beingFetched);
  }

  /** Waits for work with the file store, which ends early. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([this.#storing, ...[...this.#fetches.values()].map(({ done }) => done)]);
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
    // What has changed may be what they wait for, or that no plugin needs them.
    for (const [digest, fetch] of this.#fetches) {
      if (!fetch.isPausing) continue;
      fetch.end.abort();
      this.#fetches.delete(digest);
    }
    for (const plugin of this.all()) {
      const { digest } = plugin.installed;
      if (this.#fetches.has(digest) || (await packages.has(plugin.installed))) continue;
      const fetch: PackageFetch = {
        fault: null,
        isPausing: false,
        end: new AbortController(),
        done: Promise.resolve(),
      };
      this.#fetches.set(digest, fetch);
      fetch.done = this.#fetch(plugin, fetch);
    }
  }

  /** Fetches a package until that succeeds, no plugin needs it, or this process stops. */
  async #fetch({ id, installed }: InstalledPlugin, fetch: PackageFetch): Promise<void> {
    const { packages, storedPackages, turns, logger, pauses = fetchPauses } = this.#options;
    const signal = AbortSignal.any([this.#stopping.signal, fetch.end.signal]);
    const attempt = async () => {
      fetch.isPausing = false;
      const fetched = turns.run(id, async () => {
        // It may have been replaced or installed here meanwhile.
        if (this.get(id)?.installed.digest !== installed.digest || (await packages.has(installed))) return;
        await storedPackages.restore(installed, signal);
      });
      await fetched.catch((error: unknown) => {
        throw retryableError(error);
      });
    };
    const failed = async (error: Error) => {
      const fault =
        error instanceof ParleyError ? error.message : `its package in the file store cannot be read: ${error.message}`;
      if (fault !== fetch.fault) {
        logger.error({ plugin: id, error }, 'the files of a plugin could not be fetched from the file store');
      }
      fetch.fault = fault;
      fetch.isPausing = true;
      await this.#turns.run(() => this.#apply());
    };
    try {
      await pRetry(attempt, {
        ...pauses,
        retries: Number.POSITIVE_INFINITY,
        randomize: true,
        signal,
        onFailedAttempt: ({ error }) => (signal.aborted ? undefined : failed(error)),
      });
    } catch (error) {
      if (!signal.aborted) logger.error({ plugin: id, error }, 'the files of a plugin are not fetched any more');
      return;
    }
    await this.#turns.run(async () => {
      this.#fetches.delete(installed.digest);
      this.#faults.delete(installed.digest);
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
