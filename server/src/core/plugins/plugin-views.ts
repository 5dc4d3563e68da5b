import { beingFetched } from './installed-plugins.ts';
import { describedPermissions } from './package/permission-words.ts';
import { differencesFrom } from './package-differences.ts';
import type { InstalledPlugin, PluginVersion } from './plugin.ts';
import type { PluginState, PluginVersionView, PluginView } from './plugin-view.ts';

/** A plugin as it is shown. @param fault what is wrong with its files; null when nothing is */
export function viewOf(plugin: InstalledPlugin, fault: string | null): PluginView {
  const { id, position, on_failure, grants, installed, waiting, previous, signer } = plugin;
  const { listeners = [], pages = [] } = installed.manifest.contributes;
  return {
    id,
    label: installed.manifest.label,
    state: stateOf(plugin, fault),
    fault,
    position,
    on_failure,
    grants,
    installed: versionView(installed),
    update: waiting && {
      ...versionView(waiting),
      differences: differencesFrom(plugin, {
        manifest: waiting.manifest,
        signature: waiting.signer === null ? null : { fingerprint: waiting.signer },
      }),
    },
    previous: previous && versionView(previous),
    expected_signer: signer,
    listeners: listeners.map(({ point }) => point),
    pages: pages.map(({ name, label }) => ({ name, label })),
  };
}

export function stateOf({ enabled, installed }: InstalledPlugin, fault: string | null): PluginState {
  if (fault === beingFetched) return 'fetching';
  if (fault !== null) return 'damaged';
  if (installed.consent === null) return 'consent_required';
  return enabled ? 'enabled' : 'disabled';
}

function versionView({
  manifest,
  digest,
  size,
  signer,
  source,
  installed_at,
  consent,
}: PluginVersion): PluginVersionView {
  const { version } = manifest;
  return { version, digest, size, signer, source, installed_at, permissions: describedPermissions(manifest), consent };
}
