import { sdkVersion } from '@parley/sdk';
import type { PluginProgram } from './plugin-caller.ts';
import type { FilesOf, PluginPackages } from './plugin-packages.ts';
import { protocolVersion } from './plugin-protocol.ts';
import { completeSettings, settingsSchema } from './plugin-settings.ts';

/** Limits of a plugin whose manifest says nothing else. */
const defaultLimits = { heartbeat_seconds: 5, listener_seconds: 3, memory_mb: 128 } as const;

/** What runs of a version. */
export function programOf(version: FilesOf, packages: Pick<PluginPackages, 'folder'>): PluginProgram {
  const { id, version: number, main, files, limits, permissions = {}, contributes } = version.manifest;
  return {
    id,
    version: number,
    folder: packages.folder(version),
    main,
    files,
    limits: { ...defaultLimits, ...limits },
    permissions,
    default_settings: completeSettings(settingsSchema(version.manifest), {}),
    start: { protocol: protocolVersion, id, version: number, sdk: sdkVersion, contributes },
  };
}
