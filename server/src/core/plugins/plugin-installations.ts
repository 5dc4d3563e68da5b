import { ParleyError, problemError } from '@parley/sdk';
import { rcompare } from 'semver';
import { now } from '../../lib/clock.ts';
import type { TaskContext } from '../tasks/task-run.ts';
import type { InstalledPlugins } from './installed-plugins.ts';
import type { InspectedPackage } from './package/inspect-package.ts';
import { differencesFrom } from './package-differences.ts';
import type { PluginDownloads } from './plugin-downloads.ts';
import type { InstallChoice, InstallOutcome, PackageOrigin, PluginInstaller } from './plugin-installer.ts';
import type { PluginPackages, ReceivedPackage } from './plugin-packages.ts';
import { operation, type PluginTasks } from './plugin-service.ts';
import type { PackageInspection } from './plugin-view.ts';

export interface PluginInstallationsOptions {
  plugins: InstalledPlugins;
  installer: PluginInstaller;
  packages: PluginPackages;
  downloads: PluginDownloads;
  tasks: PluginTasks;
}

/** How an installation was asked for. */
export interface InstallationRequest {
  choice: InstallChoice;
  /** Name of the caller. */
  by: string;
  /** Called when a package was installed, before the task ends. */
  installed?: (outcome: InstallOutcome) => Promise<void>;
}

/** An address of a file of a release. */
export interface ReleaseAsset {
  asset_url: string;
  owner: string;
  repo: string;
  release_tag: string;
}

/** Inspects packages, and installs them in tasks. */
export class PluginInstallations {
  readonly #options: PluginInstallationsOptions;

  constructor(options: PluginInstallationsOptions) {
    this.#options = options;
  }

  /**
   * Checks and describes a package, and compares it with what is installed. Runs nothing of it, and keeps nothing.
   * @param verify throws if the rest of the request is invalid
   * @throws ParleyError `plugin_invalid` or `plugin_incompatible`
   */
  async inspect(content: AsyncIterable<Uint8Array>, verify: () => Promise<void>): Promise<PackageInspection> {
    const received = await this.#options.packages.receive(content);
    try {
      await verify();
      const inspected = await received.inspect();
      const differences = differencesFrom(this.#options.plugins.record(inspected.manifest.id), inspected);
      return { ...inspected, contributions: inspected.contributions as Record<string, string[]>, differences };
    } finally {
      await received.discard();
    }
  }

  /**
   * Checks an uploaded package, and starts a task that installs it.
   * @param verify throws if the rest of the request is invalid
   * @returns the number of the task
   * @throws ParleyError `plugin_invalid`, `plugin_incompatible` or `limit_reached`
   */
  async installUpload(
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    request: InstallationRequest,
    verify: () => Promise<void>,
  ): Promise<number> {
    this.#options.installer.requireChoice(request.choice);
    const received = await this.#options.packages.receive(content);
    try {
      await verify();
      const inspected = await received.inspect();
      await this.#options.installer.requireRoomFor(inspected.manifest.id);
      const origin = { source: 'local', install_info: {}, by: request.by } as const;
      const names = { name: 'plugin-install-local', label: `Installing plugin from local ${fileName}` };
      return await this.#start(names, { plugin_name: fileName, install_source: 'local' }, async (task) => {
        try {
          return await this.#install(received, inspected, { request, origin }, task);
        } finally {
          await received.discard();
        }
      });
    } catch (error) {
      await received.discard();
      throw error;
    }
  }

  /**
   * Starts a task that installs a file of a release.
   * @returns the number of the task
   * @throws ParleyError `address_not_allowed`
   */
  async installAsset(asset: ReleaseAsset, request: InstallationRequest): Promise<number> {
    const { asset_url, owner, repo, release_tag } = asset;
    this.#options.installer.requireChoice(request.choice);
    this.#options.downloads.requireAllowed(asset_url);
    const install_info = { asset_url, owner, repo, release_tag, github_url: `https://github.com/${owner}/${repo}` };
    const origin: PackageOrigin = { source: 'github', install_info, by: request.by };
    const label = `Installing plugin from GitHub ${owner}/${repo}@${release_tag}`;
    const metadata = { plugin_name: `${owner}/${repo}`, install_source: 'github' };
    return this.#start({ name: 'plugin-install-github', label }, metadata, (task) =>
      this.#download(asset_url, null, { request, origin }, task),
    );
  }

  /**
   * Starts a task that installs a plugin of the catalogue.
   * @param version the newest when empty
   * @returns the number of the task
   */
  installFromCatalogue(id: string, version: string, request: InstallationRequest): Promise<number> {
    this.#options.installer.requireChoice(request.choice);
    const names = { name: 'plugin-install-marketplace', label: `Installing plugin from marketplace ${id}` };
    return this.#start(names, { plugin_name: id, install_source: 'marketplace' }, (task) =>
      this.#installOffered(id, version, request, task),
    );
  }

  /**
   * Starts a task that updates a plugin to the newest version of the catalogue.
   * @returns the number of the task
   * @throws ParleyError `not_found`
   */
  async upgrade(id: string, request: InstallationRequest): Promise<number> {
    const plugin = this.#options.plugins.get(id);
    if (plugin === null) throw problemError('plugin_not_found');
    const name = id.slice(id.indexOf('/') + 1);
    const names = { name: `plugin-upgrade-${name}`, label: `Upgrading plugin ${name}` };
    return this.#start(names, { plugin_name: id, install_source: plugin.installed.source }, async (task) => {
      task.setAction('checking for latest version');
      const offered = await this.#offered(id, '', task.signal);
      if (rcompare(offered.version, plugin.installed.manifest.version) >= 0) {
        task.setAction('plugin is up to date');
        return { id, version: plugin.installed.manifest.version };
      }
      const outcome = await this.#installOffered(id, offered.version, request, task);
      task.setAction('plugin upgraded');
      return outcome;
    });
  }

  async #installOffered(id: string, version: string, request: InstallationRequest, task: TaskContext) {
    const offered = await this.#offered(id, version, task.signal);
    const [plugin_author, plugin_name] = id.split('/');
    const install_info = { plugin_author, plugin_name, plugin_version: offered.version };
    const origin: PackageOrigin = { source: 'catalogue', install_info, by: request.by };
    return this.#download(offered.url, { id, sha256: offered.sha256 }, { request, origin }, task);
  }

  async #offered(id: string, version: string, signal: AbortSignal) {
    const packages = (await this.#options.downloads.catalogue(signal))
      .filter((one) => one.id === id && (version === '' || one.version === version))
      .sort((left, right) => rcompare(left.version, right.version));
    const [offered] = packages;
    if (offered === undefined) throw problemError('plugin_not_in_catalogue', { plugin: id });
    return offered;
  }

  /** @param expected what a catalogue says of the package; null for none */
  async #download(
    url: string,
    expected: { id: string; sha256: string } | null,
    how: { request: InstallationRequest; origin: PackageOrigin },
    task: TaskContext,
  ): Promise<InstallOutcome> {
    task.setAction('downloading plugin package');
    const started = Date.parse(now());
    const progress = (bytes: number, total: number | null) => {
      const seconds = Math.max(0.001, (Date.parse(now()) - started) / 1000);
      const figures = { download_current: bytes, download_total: total ?? bytes };
      task.setMetadata({ ...figures, download_speed: Math.round(bytes / seconds) });
    };
    const received = await this.#options.packages.receive(
      this.#options.downloads.download(url, { signal: task.signal, progress }),
    );
    try {
      const inspected = await received.inspect();
      const { manifest, digest } = inspected;
      if (expected !== null && (manifest.id !== expected.id || digest !== expected.sha256.toLowerCase())) {
        throw new ParleyError('plugin_invalid', 'The package is another one than the catalogue says.');
      }
      return await this.#install(received, inspected, how, task);
    } finally {
      await received.discard();
    }
  }

  async #install(
    received: ReceivedPackage,
    inspected: InspectedPackage,
    { request, origin }: { request: InstallationRequest; origin: PackageOrigin },
    task: TaskContext,
  ): Promise<InstallOutcome> {
    const { choice, installed } = request;
    const outcome = await this.#options.installer.install(received, inspected, { choice, origin }, task);
    await installed?.(outcome);
    return outcome;
  }

  async #start(
    names: { name: string; label: string },
    metadata: Record<string, unknown>,
    work: (task: TaskContext) => Promise<unknown>,
  ): Promise<number> {
    const { id } = await this.#options.tasks.start({ ...names, ...operation }, (task) => {
      task.setMetadata(metadata);
      return work(task);
    });
    return id;
  }
}
