import { isBuiltin } from 'node:module';
import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ErrorDetail } from '@parley/sdk';
import { refusals } from '../core/plugins/package/plugin-fault.ts';
import { isAllowedModule } from '../plugin-host/process/allowed-modules.ts';

/** A module with everything that it imports. */
export interface BundledModule {
  code: string;
  /** Absolute paths of the files that it was made of. */
  sources: string[];
}

/** What rolldown says of a fault. */
interface BundlerFault {
  message?: string;
  id?: string;
  loc?: { file?: string; line: number; column: number };
}

/**
 * Bundles a module of TypeScript or JavaScript into one.
 * @param file absolute
 * @param folder of the project; faults name files below it
 * @param platform where it runs: `node`, in the process of a plugin, or `browser`
 * @throws ParleyError `plugin_invalid` with the file and the line of each fault
 */
export async function bundleModule(file: string, folder: string, platform: 'node' | 'browser'): Promise<BundledModule> {
  // Loaded on first use: most commands bundle nothing.
  const { rolldown } = await import('rolldown');
  const importers = new Map<string, string>();
  const bundle = await rolldown({
    input: file,
    cwd: folder,
    platform,
    tsconfig: false,
    logLevel: 'silent',
    external: (id, importer) => {
      if (!isBuiltin(id)) return false;
      if (importer !== undefined) importers.set(id, importer);
      return true;
    },
    // Comments would name the place of the SDK on this machine.
    experimental: { attachDebugInfo: 'none' },
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    const [{ code, imports, dynamicImports }] = output;
    const refused = [...imports, ...dynamicImports].filter((id) => platform === 'browser' || !isAllowedModule(id));
    if (refused.length > 0) {
      throw refusals(
        refused.map((id) => ({
          path: shownPath(importers.get(id) ?? file, folder),
          message: `imports ${id}, which is not available to ${platform === 'browser' ? 'pages' : 'plugins'}`,
        })),
      );
    }
    return { code, sources: (await bundle.watchFiles).filter((path) => !path.startsWith('\0')) };
  } catch (error) {
    const faults = (error as { errors?: BundlerFault[] }).errors;
    throw faults === undefined
      ? error
      : refusals(
          faults.map((fault) => detailOf(fault, file, folder)),
          error,
        );
  } finally {
    await bundle.close();
  }
}

/** Relative, with `/` between folders. */
export function shownPath(path: string, folder: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}

function detailOf({ message = '', id, loc }: BundlerFault, file: string, folder: string): ErrorDetail {
  const place = shownPath(loc?.file ?? id ?? file, folder);
  const [line = ''] = stripVTControlCharacters(message).split('\n');
  return { path: loc === undefined ? place : `${place}:${loc.line}:${loc.column + 1}`, message: line };
}
