import { invalidFields, ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import type { KeyedTurns } from '../../lib/keyed-turns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { addressesIn } from '../addresses/addresses-in.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import type { NewTask } from '../tasks/task.ts';
import type { TaskWork } from '../tasks/task-service.ts';
import type { PluginGrants } from './active-plugin.ts';
import { beingFetched, type InstalledPlugins } from './installed-plugins.ts';
import { type InstalledPlugin, isInstalled, type StoredPlugin } from './plugin.ts';
import type { IsolationInForce } from './plugin-caller.ts';
import type { PluginPackages } from './plugin-packages.ts';
import { acceptSettings, completeSettings, settingsSchema } from './plugin-settings.ts';
import type { PluginStore } from './plugin-store.ts';
import type { PluginState, PluginView } from './plugin-view.ts';
import { stateOf, viewOf } from './plugin-views.ts';

export interface PluginServiceOptions {
  plugins: InstalledPlugins;
  packages: PluginPackages;
  isolation: () => Promise<IsolationInForce>;
  /** Deletes what a plugin stored for itself. */
  removeData: (id: string) => Promise<void>;
  tasks: PluginTasks;
  secrets: SecretBox;
  addresses: AddressRules;
  /** By the id of the plugin. */
  turns: KeyedTurns;
}

/** Runs the work of a task, now or later. */
export interface PluginTasks {
  start(task: NewTask, work: TaskWork): Promise<{ id: number }>;
}

/** An installed plugin, with its settings as they are shown. */
export interface ShownPlugin {
  plugin: InstalledPlugin;
  state: PluginState;
  settings: Record<string, unknown>;
}

/** What an operator sets of installed plugins. */
export class PluginService {
  readonly #store: PluginStore;
  readonly #options: PluginServiceOptions;

  constructor(store: PluginStore, options: PluginServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** In the operator's order. */
  list(): ShownPlugin[] {
    return this.#options.plugins.all().map((plugin) => this.#shown(plugin));
  }

  /** @throws ParleyError `not_found`, as every method that takes an id */
  get(id: string): ShownPlugin {
    return this.#shown(this.#installed(id));
  }

  view(id: string): PluginView {
    return viewOf(this.#installed(id), this.#options.plugins.faultOf(id));
  }

  /** For the audit log: what an operator decides, with masked settings; null when there is no such plugin. */
  async audited(id: string): Promise<object | null> {
    const plugin = this.#options.plugins.get(id);
    if (plugin === null) return null;
    const { settings } = this.#shown(plugin);
    return { ...this.view(id), settings };
  }

  settings(id: string): Tagged<Record<string, unknown>> {
    const plugin = this.#installed(id);
    return { record: this.#shown(plugin).settings, tag: () => tagOf(plugin) };
  }

  isolation(): Promise<IsolationInForce> {
    return this.#options.isolation();
  }

  /** @returns a file of the installed version. @throws ParleyError `not_found` or `plugin_files_changed` */
  async file(id: string, path: string): Promise<Buffer> {
    const content = await this.#options.packages.read(this.#installed(id).installed, path);
    if (content === null) throw problemError('plugin_file_not_found');
    return content;
  }

  /** The readme in a language, else the one in English; empty where there is none. */
  async readme(id: string, language: string): Promise<string> {
    const { installed } = this.#installed(id);
    const paths = [`readme/README_${language}.md`, 'README.md', 'readme/README_en.md'];
    const path = paths.find((one) => Object.hasOwn(installed.manifest.files, one));
    return path === undefined ? '' : (await this.file(id, path)).toString('utf8');
  }

  /**
   * Replaces all settings; what is left out gets its default.
   * @throws ParleyError `invalid_request` with the path of each error, `secret_required` or `record_changed`
   */
  async configure(
    id: string,
    given: Record<string, unknown>,
    author: Author,
    expected: ExpectedTags = null,
  ): Promise<void> {
    const { secrets, addresses } = this.#options;
    const schema = settingsSchema(this.#installed(id).installed.manifest);
    const decide = await addresses.decide(addressesIn(schema, given, 'config'), author);
    await this.#change(id, (stored) => {
      requireTag(expected, () => tagOf(stored));
      const { settings, admin_addresses } = stored;
      const before = addressesIn(schema, settings).map(({ address }) => address);
      return {
        ...acceptSettings(secrets, schema, given, stored),
        admin_addresses: decide({ addresses: before, admin_addresses }),
      };
    });
  }

  /** @throws ParleyError `plugin_consent_required` or `plugin_files_changed` when it cannot be enabled */
  async setEnabled(id: string, enabled: boolean): Promise<void> {
    if (enabled) {
      const fault = await this.#options.plugins.checkFilesOf(this.#installed(id).id);
      // Another replica may have its files already.
      if (fault !== null && fault !== beingFetched) throw new ParleyError('plugin_files_changed', fault);
    }
    await this.#change(id, ({ installed }) => {
      if (enabled && installed.consent === null) {
        throw new ParleyError('plugin_consent_required', `${id} needs the consent of an admin to its permissions`);
      }
      return { enabled };
    });
  }

  /** @throws ParleyError `invalid_request` with the path of each uuid that is of no record */
  async setGrants(id: string, grants: PluginGrants): Promise<void> {
    this.#installed(id);
    const unknown = await this.#store.unknownIn(grants);
    if (unknown.length > 0) {
      throw invalidFields(unknown.map((path) => ({ path, message: 'does not exist', rule: 'missing' })));
    }
    await this.#change(id, () => ({ grants }));
  }

  async setOnFailure(id: string, on_failure: 'pass' | 'stop'): Promise<void> {
    await this.#change(id, () => ({ on_failure }));
  }

  /**
   * Sets the order in which listeners are called.
   * @param ids of all installed plugins
   * @throws ParleyError `invalid_request`
   */
  async setOrder(ids: readonly string[]): Promise<void> {
    const [repeated] = ids.filter((id, index) => ids.indexOf(id) !== index);
    if (repeated !== undefined || !(await this.#store.reorder(ids))) {
      throw invalidFields([{ path: 'order', message: 'must name each installed plugin once', rule: 'outdated' }]);
    }
    await this.#options.plugins.refresh();
  }

  /**
   * Uninstalls a plugin; a task ends its process and deletes its files.
   * @param withData whether its settings and what it stored are deleted too; also after an uninstallation that kept them
   * @returns the number of the task
   * @throws ParleyError `in_use` with what uses it
   */
  async uninstall(id: string, withData: boolean): Promise<number> {
    const { plugins, turns } = this.#options;
    await turns.run(id, async () => {
      const record = plugins.record(id);
      if (record === null || !(isInstalled(record) || withData)) throw notFound();
      const runners = record.installed?.manifest.contributes.runners ?? [];
      const users = await this.#store.uninstall(
        id,
        runners.map(({ name }) => name),
        now(),
      );
      if (users.length === 0) return;
      throw new ParleyError('in_use', 'Cannot remove the plugin: knowledge bases or pipelines still use it', {
        details: users.map(({ kind, uuid, name }) => ({ path: `${kind}/${uuid}`, message: name })),
      });
    });
    const name = id.slice(id.indexOf('/') + 1);
    const task = { name: `plugin-remove-${name}`, label: `Removing plugin ${name}`, ...operation };
    const { id: taskId } = await this.#options.tasks.start(task, (context) =>
      turns.run(id, async () => {
        context.setMetadata({ plugin_name: id });
        context.setAction('shutting down plugin');
        await plugins.refresh();
        // Meanwhile, it may have been installed again.
        if (plugins.get(id) !== null) return;
        context.setAction('deleting plugin files');
        await this.#options.packages.removeOthers([], id);
        if (withData) {
          await this.#options.removeData(id);
          await this.#store.remove(id);
          await plugins.refresh();
        }
        context.setAction('plugin removed');
      }),
    );
    return taskId;
  }

  /** Changes an installed plugin, and takes the change over. */
  async #change(id: string, change: (stored: InstalledPlugin) => Partial<StoredPlugin>): Promise<void> {
    this.#installed(id);
    await this.#store.save(id, (stored) => {
      if (stored === null || !isInstalled(stored)) throw notFound();
      return { ...stored, ...change(stored), updated_at: now() };
    });
    await this.#options.plugins.refresh();
  }

  #installed(id: string): InstalledPlugin {
    const plugin = this.#options.plugins.get(id);
    if (plugin === null) throw notFound();
    return plugin;
  }

  #shown(plugin: InstalledPlugin): ShownPlugin {
    const settings = completeSettings(settingsSchema(plugin.installed.manifest), plugin.settings);
    return { plugin, state: stateOf(plugin, this.#options.plugins.faultOf(plugin.id)), settings };
  }
}

/** What all tasks of plugins have in common. */
export const operation: Pick<NewTask, 'task_type' | 'kind' | 'scopes'> = {
  task_type: 'user',
  kind: 'plugin-operation',
  scopes: ['plugin'],
};

function notFound(): ParleyError {
  return problemError('plugin_not_found');
}

/** Of the settings. */
function tagOf({ settings, sealed_secrets }: StoredPlugin): string {
  return recordTag({ settings, sealed_secrets }, []);
}
