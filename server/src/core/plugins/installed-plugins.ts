import type { Logger } from '@parley/sdk';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { Signal } from '../../lib/signal.ts';
import type { ActivePlugin, ActivePlugins } from './active-plugin.ts';
import { type InstalledPlugin, isInstalled, type StoredPlugin, versionsOf } from './plugin.ts';
import type { PluginProcesses } from './plugin-caller.ts';
import type { PluginPackages } from './plugin-packages.ts';
import { programOf } from './plugin-program.ts';
import { openSettings, settingsSchema } from './plugin-settings.ts';
import type { PluginStore } from './plugin-store.ts';

export interface InstalledPluginsOptions {
  packages: PluginPackages;
  processes: Pick<PluginProcesses, 'set' | 'remove'>;
  secrets: SecretBox;
  logger: Logger;
  /** Whether none may be called. */
  isOff?: boolean;
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
    await this.#apply();
  }

  /**
   * Checks the files of all installed versions. Those that are damaged or gone may not be called; the process of a plugin
   * checks its files as well, so nothing has to wait for this.
   */
  async checkFiles(): Promise<void> {
    for (const { id } of this.all()) await this.checkFilesOf(id);
  }

  /** @returns what is wrong; null when nothing is */
  async checkFilesOf(id: string): Promise<string | null> {
    const plugin = this.get(id);
    if (plugin === null) return null;
    const { digest } = plugin.installed;
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

  /** What is wrong with the files of the installed version, as it was last checked. */
  faultOf(id: string): string | null {
    return this.#faults.get(this.get(id)?.installed.digest ?? '') ?? null;
  }

  /** Takes over what is stored now, after a change. @param id of the plugin whose versions may be others */
  async refresh(): Promise<void> {
    await this.#turns.run(async () => {
      this.#records = await this.#store.list();
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
