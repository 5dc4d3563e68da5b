import { existsSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedModule } from '../core/system/configured-extension.ts';
import { inTime } from '../lib/waiting.ts';

/** How long the module of an extension may take to load, milliseconds. */
const longestLoadMs = 30_000;
/** The main files of a folder, the first one that exists. */
const mainFiles = ['index.ts', 'index.js', 'index.mjs'];
/** Packages of the server that extensions may import without installing them. */
const shared = /^(@parley\/sdk|typebox)(\/|$)/;

/**
 * Loads the modules that the operator trusts, into this process: packages as JavaScript, folders and files also as
 * TypeScript.
 * @param sources packages, or paths that start with `.` or `/`
 * @param directory where relative paths start and packages are looked for
 */
export async function loadExtensions(sources: readonly string[], directory: string): Promise<LoadedModule[]> {
  if (sources.length === 0) return [];
  // They stay: an extension may import more while it works.
  registerHooks({ resolve: resolveFor(directory) });
  const modules: LoadedModule[] = [];
  // One after the other, so that the order of registration is that of the setting.
  for (const source of sources) modules.push(await load(source, directory));
  return modules;
}

async function load(source: string, directory: string): Promise<LoadedModule> {
  try {
    const address = isPath(source)
      ? pathToFileURL(mainFileOf(resolve(directory, source))).href
      : packagePrefix + source;
    const loading: Promise<{ default?: unknown }> = import(address);
    const module = await inTime(loading, longestLoadMs, () => {
      throw new Error(`it did not load within ${longestLoadMs / 1000} seconds`);
    });
    return { source, extension: module.default as never };
  } catch (error) {
    return { source, error: error instanceof Error ? error.message : String(error) };
  }
}

function isPath(source: string): boolean {
  return source.startsWith('.') || isAbsolute(source);
}

/** @throws Error when there is no such file or folder, or the folder has no main file */
function mainFileOf(path: string): string {
  if (!existsSync(path)) throw new Error(`there is no file or folder ${path}`);
  if (!statSync(path).isDirectory()) return path;
  const file = mainFiles.map((name) => join(path, name)).find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`the folder ${path} has none of ${mainFiles.join(', ')}`);
  return file;
}

/** Marks an import of a package that is looked for from the folder of the settings. */
const packagePrefix = 'parley-extension:';

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

/** Finds packages from a folder, and for extensions those of the server that they have not installed themselves. */
function resolveFor(directory: string): Resolve {
  return (specifier, context, next) => {
    if (specifier.startsWith(packagePrefix)) {
      const parentURL = pathToFileURL(join(directory, 'parley.yaml')).href;
      return next(specifier.slice(packagePrefix.length), { ...context, parentURL });
    }
    try {
      return next(specifier, context);
    } catch (error) {
      if (!shared.test(specifier) || context.parentURL === import.meta.url) throw error;
      return next(specifier, { ...context, parentURL: import.meta.url });
    }
  };
}
