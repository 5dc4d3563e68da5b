import { isDeepStrictEqual } from 'node:util';
import { invalidFields, ParleyError, problemError } from '@parley/sdk';
import { compare } from 'semver';
import { now } from '../../lib/clock.ts';
import type { KeyedTurns } from '../../lib/keyed-turns.ts';
import type { TaskContext } from '../tasks/task-run.ts';
import type { InstalledPlugins } from './installed-plugins.ts';
import type { InspectedPackage } from './package/inspect-package.ts';
import { describedPermissions } from './package/permission-words.ts';
import { isCovered } from './package-differences.ts';
import {
  isInstalled,
  noGrants,
  type PluginConsent,
  type PluginSource,
  type PluginVersion,
  type StoredPlugin,
  versionsOf,
} from './plugin.ts';
import type { PluginProcesses } from './plugin-caller.ts';
import type { PluginPackages, ReceivedPackage } from './plugin-packages.ts';
import { programOf } from './plugin-program.ts';
import type { PluginStore } from './plugin-store.ts';
import type { StoredPackages } from './stored-packages.ts';

export interface PluginInstallerOptions {
  plugins: InstalledPlugins;
  packages: PluginPackages;
  storedPackages: StoredPackages;
  processes: Pick<PluginProcesses, 'trial'>;
  /** Most plugins and MCP servers there may be together; -1 for no limit. */
  maximumExtensions: number;
  /** By the id of the plugin. */
  turns: KeyedTurns;
}

/** What to do with a package. */
export interface InstallChoice {
  /** Of the package that was inspected; needed to consent. Another package is refused then. */
  digest?: string | undefined;
  /** Whether all that the package asks for, and its signer, are consented to. */
  consent?: boolean | undefined;
  /** Whether it is to run; if left out, a new plugin with consent does, and an update as the version before. */
  enable?: boolean | undefined;
  /** Whether it may replace the same or a later version. */
  allow_downgrade?: boolean | undefined;
}

/** Where a package is from, and who installs it. */
export interface PackageOrigin {
  source: PluginSource;
  install_info: Record<string, unknown>;
  by: string;
}

/** What an installation led to. */
export interface InstallOutcome {
  id: string;
  version: string;
  digest: string;
  /** `waiting`: the update needs consent, and the version before stays. */
  state: 'enabled' | 'disabled' | 'consent_required' | 'waiting';
}

/** How a plugin is after a change, apart from what an installation leaves alone. */
type Change = Pick<StoredPlugin, 'installed' | 'waiting' | 'previous' | 'signer' | 'enabled'>;

/** Installs, updates and replaces versions of plugins. What fails has changed nothing. */
export class PluginInstaller {
  readonly #store: PluginStore;
  readonly #options: PluginInstallerOptions;

  constructor(store: PluginStore, options: PluginInstallerOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Refuses what no package could be installed with.
   * @throws ParleyError `invalid_request`
   */
  requireChoice({ digest, consent }: InstallChoice): void {
    if (!consent || digest !== undefined) return;
    throw invalidFields([{ path: 'digest', message: 'is required to consent', rule: 'required' }]);
  }

  /**
   * Refuses a package that is not the inspected one, or that is not newer than what is installed.
   * @throws ParleyError `conflict`
   */
  requireInstallable({ manifest, digest }: InspectedPackage, choice: InstallChoice): void {
    const { id, version } = manifest;
    if (choice.digest !== undefined && choice.digest.toLowerCase() !== digest) {
      throw problemError('plugin_package_changed');
    }
    const plugin = this.#options.plugins.get(id);
    if (plugin === null) return;
    const { installed } = plugin;
    // Damaged files are replaced by those of the same package.
    if (digest === installed.digest && this.#options.plugins.faultOf(id) !== null) return;
    const order = compare(version, installed.manifest.version);
    if (digest === installed.digest || (order === 0 && !choice.allow_downgrade)) {
      throw problemError('plugin_exists', { plugin: id, version });
    }
    if (order < 0 && !choice.allow_downgrade) {
      throw problemError('plugin_older', { plugin: id, version, installed: installed.manifest.version });
    }
  }

  /**
   * Refuses one more plugin than there may be.
   * @throws ParleyError `limit_reached`
   */
  async requireRoomFor(id: string): Promise<void> {
    const { maximumExtensions, plugins } = this.#options;
    if (maximumExtensions < 0 || plugins.get(id) !== null) return;
    if ((await this.#store.countExtensions()) >= maximumExtensions) throw this.#tooMany();
  }

  /**
   * Installs a package. An update that asks for no more than was consented to, or that comes with consent, replaces the
   * version that runs once its start was tried; another one waits.
   * @throws ParleyError `conflict`, `limit_reached`, `plugin_invalid`, or why it could not be started
   */
  async install(
    received: Pick<ReceivedPackage, 'unpack' | 'read'>,
    inspected: InspectedPackage,
    { choice, origin }: { choice: InstallChoice; origin: PackageOrigin },
    task: Pick<TaskContext, 'setAction' | 'signal'>,
  ): Promise<InstallOutcome> {
    const { id, version: number } = inspected.manifest;
    return this.#options.turns.run(id, async () => {
      this.requireInstallable(inspected, choice);
      await this.requireRoomFor(id);
      task.signal.throwIfAborted();
      // Nothing is fetched; clients of the reference system know this step by its name.
      task.setAction('installing dependencies');
      try {
        await received.unpack();
        const { digest, size } = inspected;
        await this.#options.storedPackages.put(digest, { size, sha256: digest, read: received.read });
        task.setAction('initializing plugin settings');
        const stored = this.#options.plugins.record(id);
        // Another replica may have installed a newer one since, of which this one has learned meanwhile.
        this.requireInstallable(inspected, choice);
        const version = this.#versionOf(inspected, stored, choice, origin);
        const change = changeBy(version, stored, choice);
        task.setAction('launching plugin');
        await this.#replace(id, { stored, change }, task.signal);
      } catch (error) {
        // What another replica has installed meanwhile stays. Why the installation failed matters more than that this does.
        await this.#options.plugins.refresh().catch(() => undefined);
        await this.#removeOtherFiles(id);
        throw error;
      }
      task.setAction('plugin installed');
      return { id, version: number, digest: inspected.digest, state: this.#stateOf(id, inspected.digest) };
    });
  }

  /**
   * Consents to the installed version or to the update that waits, which then takes its place.
   * @param enable as in {@link InstallChoice}
   * @throws ParleyError `conflict` for another digest, or why the update could not be started
   */
  consent(
    id: string,
    { digest, enable, by }: { digest: string; enable?: boolean | undefined; by: string },
    signal: AbortSignal,
  ): Promise<void> {
    return this.#options.turns.run(id, async () => {
      const plugin = this.#options.plugins.record(id);
      const version = [plugin?.waiting, plugin?.installed].find((one) => one?.digest === digest.toLowerCase());
      if (plugin == null || version == null) throw problemError('plugin_version_unknown');
      await this.#requireWhole(version);
      const consented = { ...version, consent: consentTo(version, by) };
      const isUpdate = version === plugin.waiting;
      const choice = { consent: true, enable };
      const change = isUpdate
        ? changeBy(consented, plugin, choice)
        : {
            ...plugin,
            installed: consented,
            signer: version.signer,
            enabled: enable ?? (version.consent === null || plugin.enabled),
          };
      await this.#replace(id, { stored: plugin, change }, signal);
    });
  }

  /** Removes the update that waits. @throws ParleyError `conflict` */
  discardUpdate(id: string): Promise<void> {
    return this.#options.turns.run(id, async () => {
      const plugin = this.#options.plugins.record(id);
      if (plugin?.waiting == null) throw problemError('plugin_version_unknown');
      await this.#replace(id, { stored: plugin, change: { ...plugin, waiting: null } });
    });
  }

  /**
   * Puts the version before in the place of the installed one, which becomes the version before.
   * @throws ParleyError `conflict` when there is none, or why it could not be started
   */
  rollback(id: string, signal: AbortSignal): Promise<void> {
    return this.#options.turns.run(id, async () => {
      const plugin = this.#options.plugins.record(id);
      if (plugin?.previous == null) throw problemError('plugin_without_previous', { plugin: id });
      const { installed, previous } = plugin;
      await this.#requireWhole(previous);
      const change = { ...plugin, installed: previous, previous: installed, signer: previous.signer };
      await this.#replace(id, { stored: plugin, change }, signal);
    });
  }

  /**
   * Stores a change of versions, after the start of the one that is to run was tried.
   * @param change of the record as it was found
   * @param signal of the trial; without one, there is none
   * @throws ParleyError `conflict` when another replica has changed versions meanwhile
   */
  async #replace(
    id: string,
    { stored, change: versions }: { stored: StoredPlugin | null; change: Change },
    signal?: AbortSignal,
  ): Promise<void> {
    const { plugins, processes, packages } = this.#options;
    const running = plugins.get(id)?.installed;
    const { installed, enabled } = versions;
    const isToRun = installed !== null && installed.consent !== null && enabled;
    if (isToRun && signal !== undefined && running?.digest !== installed.digest) {
      await processes.trial(programOf(installed, packages), signal);
    }
    signal?.throwIfAborted();
    const timestamp = now();
    const { waiting, previous, signer } = versions;
    const changed = { installed, waiting, previous, signer, enabled, updated_at: timestamp };
    const change = (current: StoredPlugin | null) => {
      if (!haveSameVersions(current, stored)) throw problemError('plugin_changed_meanwhile', { plugin: id });
      return { ...(current ?? newPlugin(id, timestamp)), ...changed };
    };
    if ((await this.#store.save(id, change, this.#options.maximumExtensions)) === null) throw this.#tooMany();
    await plugins.refresh();
    // Its files are new now.
    if (plugins.faultOf(id) !== null) await plugins.checkFilesOf(id);
    await this.#removeOtherFiles(id);
  }

  #versionOf(
    { manifest, digest, size, signature }: InspectedPackage,
    stored: StoredPlugin | null,
    choice: InstallChoice,
    { source, install_info, by }: PackageOrigin,
  ): PluginVersion {
    const signer = signature?.fingerprint ?? null;
    const before = stored?.installed?.consent ?? null;
    const version = { manifest, digest, size, signer, source, install_info, installed_at: now(), consent: null };
    if (choice.consent) return { ...version, consent: consentTo(version, by) };
    return { ...version, consent: signer === stored?.signer && isCovered(manifest, before) ? before : null };
  }

  #tooMany(): ParleyError {
    return problemError('too_many_extensions', { maximum: String(this.#options.maximumExtensions) });
  }

  async #requireWhole(version: PluginVersion): Promise<void> {
    const { packages, storedPackages } = this.#options;
    // Another replica has installed it.
    if (!(await packages.has(version))) return storedPackages.restore(version);
    const fault = await packages.faultOf(version);
    if (fault !== null) throw new ParleyError('plugin_files_changed', fault);
  }

  async #removeOtherFiles(id: string): Promise<void> {
    const plugin = this.#options.plugins.record(id);
    await this.#options.packages.removeOthers(plugin === null ? [] : versionsOf(plugin), id);
  }

  #stateOf(id: string, digest: string): InstallOutcome['state'] {
    const plugin = this.#options.plugins.get(id);
    if (plugin?.installed.digest !== digest) return 'waiting';
    if (plugin.installed.consent === null) return 'consent_required';
    return plugin.enabled ? 'enabled' : 'disabled';
  }
}

/** What a new version changes. */
function changeBy(version: PluginVersion, stored: StoredPlugin | null, choice: InstallChoice): Change {
  // A key is expected from the first installation on, or from when another one was consented to.
  const signer = stored === null || choice.consent ? version.signer : stored.signer;
  if (stored === null || !isInstalled(stored)) {
    const enabled = version.consent !== null && choice.enable !== false;
    return { installed: version, waiting: null, previous: null, signer, enabled };
  }
  const { installed, previous, enabled } = stored;
  if (installed.consent !== null && version.consent === null) return { ...stored, waiting: version };
  if (installed.consent === null) {
    // It has never run, so there is nothing to return to.
    const isEnabled = version.consent !== null && choice.enable !== false;
    return { installed: version, waiting: null, previous, signer, enabled: isEnabled };
  }
  const isSame = installed.digest === version.digest;
  return {
    installed: version,
    waiting: null,
    previous: isSame ? previous : installed,
    signer,
    enabled: choice.enable ?? enabled,
  };
}

function haveSameVersions(current: StoredPlugin | null, stored: StoredPlugin | null): boolean {
  return isDeepStrictEqual(
    [current?.installed ?? null, current?.waiting ?? null, current?.previous ?? null],
    [stored?.installed ?? null, stored?.waiting ?? null, stored?.previous ?? null],
  );
}

function consentTo({ manifest }: Pick<PluginVersion, 'manifest'>, by: string): PluginConsent {
  return { permissions: describedPermissions(manifest), at: now(), by };
}

function newPlugin(id: string, timestamp: string): Omit<StoredPlugin, 'position'> {
  return {
    id,
    installed: null,
    waiting: null,
    previous: null,
    signer: null,
    enabled: false,
    settings: {},
    sealed_secrets: null,
    admin_addresses: [],
    grants: noGrants,
    on_failure: 'pass',
    created_at: timestamp,
    updated_at: timestamp,
  };
}
