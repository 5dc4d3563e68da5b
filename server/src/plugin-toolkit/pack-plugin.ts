import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ParleyError, PluginManifest } from '@parley/sdk';
import { configFaults } from '../core/forms/check-config.ts';
import { type InspectedPackage, inspectPackage } from '../core/plugins/package/inspect-package.ts';
import { refusal, refusals } from '../core/plugins/package/plugin-fault.ts';
import { manifestFile } from '../core/plugins/package/read-manifest.ts';
import { openPackage } from '../plugin-host/package/open-package.ts';
import { writeArchive } from '../plugin-host/package/write-archive.ts';
import { type BundledModule, bundleModule } from './bundle-module.ts';
import { linkSdk } from './link-sdk.ts';
import { readFolder, readIfThere } from './project-files.ts';

/** What a project has its manifest in, and the module in a package. */
const manifestSource = 'manifest.ts';
const mainFile = 'main.js';
/** Packed where they are there. */
const documents = ['README.md', 'LICENSE', 'LICENSE.md', 'CHANGELOG.md'];
const assetsFolder = 'assets';

/** A package in memory. */
export interface PackedPlugin {
  bytes: Buffer;
  inspected: InspectedPackage;
}

/**
 * Packs the project of a plugin: bundles its module and the scripts of its pages, and adds the folders of its pages, its
 * assets and documents. The same sources are the same bytes. The package is checked as the server checks it.
 * @param project absolute path of a folder with `manifest.ts`
 * @throws ParleyError `not_found` for a folder without a project, `plugin_invalid` naming files and fields, or
 *   `plugin_incompatible`
 */
export async function packPlugin(project: string): Promise<PackedPlugin> {
  const source = await readManifestSource(project);
  const files = new Map<string, Uint8Array>();
  if (!existsSync(join(project, source.main))) throw refusal('manifest.main', `there is no file ${source.main}`);
  files.set(mainFile, bytesOf(await bundleModule(join(project, source.main), project, 'node')));
  for (const { path } of source.contributes.pages ?? []) {
    for (const [name, content] of await pageFiles(project, path)) files.set(name, content);
  }
  for (const [name, content] of await readFolder(join(project, assetsFolder), project)) files.set(name, content);
  for (const name of documents) {
    const content = await readIfThere(join(project, name));
    if (content !== null) files.set(name, content);
  }
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const hashes = sorted.map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]);
  const manifest = { ...source, main: mainFile, files: Object.fromEntries(hashes) };
  const entries = new Map<string, Uint8Array>([[manifestFile, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]]);
  for (const [path, content] of sorted) entries.set(path, content);
  const bytes = await writeArchive(entries);
  return { bytes, inspected: await inspectPackage(bytes, openPackage) };
}

/**
 * Reads `manifest.ts` of a project, by running it.
 * @throws ParleyError `not_found`, or `plugin_invalid`
 */
export async function readManifestSource(project: string): Promise<Omit<PluginManifest, 'files'>> {
  const file = join(project, manifestSource);
  if (!existsSync(file)) {
    throw new ParleyError('not_found', `There is no ${manifestSource} in ${project}; "parley plugin create" makes one`);
  }
  await linkSdk(project);
  const manifest = await defaultExport(await bundleModule(file, project, 'node'), manifestSource);
  const faults = configFaults(PluginManifest, { ...manifest, files: { [mainFile]: '0'.repeat(64) } }, 'manifest');
  if (faults.length > 0) throw refusals(faults);
  // It was checked by the schema.
  return manifest as Omit<PluginManifest, 'files'>;
}

/**
 * Runs a bundled module of a project.
 * @returns its default export, as JSON has it
 * @throws ParleyError `plugin_invalid` when it is no object, or cannot be run
 */
export async function defaultExport({ code }: BundledModule, name: string): Promise<object> {
  let exported: unknown;
  try {
    // The same code is the same module: it is kept in memory once.
    const loaded = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
    exported = JSON.parse(JSON.stringify(loaded.default ?? null));
  } catch (error) {
    throw refusal(name, `cannot be run: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (typeof exported === 'object' && exported !== null && !Array.isArray(exported)) return exported;
  throw refusal(name, 'must have an object as its default export');
}

/** The files of the folder of a page; the script of `index.html` is `index.ts` beside it, and loaded as `index.js`. */
async function pageFiles(project: string, path: string): Promise<Map<string, Uint8Array>> {
  const folder = dirname(path);
  // Refused with the package, which says why.
  if (folder === '.' || path.split('/').includes('..')) return new Map();
  const files = await readFolder(join(project, folder), project);
  const script = path.replace(/\.html$/, '.ts');
  if (!existsSync(join(project, script))) return files;
  const bundled = script.replace(/\.ts$/, '.js');
  if (files.has(bundled)) throw refusal(bundled, `is there beside ${script}, which it is made of`);
  return files.set(bundled, bytesOf(await bundleModule(join(project, script), project, 'browser')));
}

function bytesOf({ code }: BundledModule): Uint8Array {
  return Buffer.from(code);
}
