import { ParleyError, problemError } from '@parley/sdk';
import type { ActivePlugins } from '../active-plugin.ts';
import type { InstalledPlugin } from '../plugin.ts';
import type { PluginService } from '../plugin-service.ts';

/** What decides whether a page can be shown. */
export interface PageSources {
  plugins: Pick<PluginService, 'get'>;
  active: Pick<ActivePlugins, 'list'>;
}

/** A page that can be shown now. */
export interface ShownPage {
  plugin: InstalledPlugin;
  /** Of its HTML file. */
  path: string;
}

/**
 * Finds a page of a plugin that may run.
 * @throws ParleyError `not_found`, `plugin_files_changed`, `plugin_consent_required` or `plugin_not_running`
 */
export function shownPage({ plugins, active }: PageSources, id: string, name: string): ShownPage {
  const { plugin, state } = plugins.get(id);
  const page = plugin.installed.manifest.contributes.pages?.find((each) => each.name === name);
  if (page === undefined) throw problemError('plugin_page_not_found');
  if (state === 'damaged') throw new ParleyError('plugin_files_changed', `The files of ${id} were changed`);
  if (state === 'consent_required') {
    throw new ParleyError('plugin_consent_required', `${id} needs the consent of an admin to its permissions`);
  }
  if (!active.list().some((each) => each.id === id)) {
    throw new ParleyError('plugin_not_running', `The plugin ${id} is not running`);
  }
  return { plugin, path: page.path };
}
