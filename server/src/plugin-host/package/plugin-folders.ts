import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ParleyError } from '@parley/sdk';
import { tooLarge } from '../../core/plugins/package/inspect-package.ts';
import { packageLimits } from '../../core/plugins/package/package-archive.ts';
import { manifestFile, signatureFile } from '../../core/plugins/package/read-manifest.ts';
import type { FilesOf, PluginPackages, ReceivedPackage } from '../../core/plugins/plugin-packages.ts';
import { requireSame } from '../../core/plugins/stored-packages.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { newUuid } from '../../lib/uuid.ts';
import { readInThread } from './package-thread.ts';
import { syncFolder } from './sync-folder.ts';

/** What arrives or is being unpacked. No author can have this name. */
const incomingName = '.incoming';

/**
 * The files of plugins below one folder: `<author>/<name>/<digest of the package>/`. A version is unpacked elsewhere and
 * then renamed, so that a folder of that name is complete. Packages are not kept here.
 */
export class PluginFolders implements PluginPackages {
  readonly #directory: string;
  /** Each takes a thread with up to 50 MB of a package. */
  readonly #threads = new ConcurrencyLimit(2);

  /** @param directory absolute; made when it is needed */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedPackage> {
    const incoming = join(this.#directory, incomingName);
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    const file = join(incoming, `${newUuid()}.zip`);
    const discard = () => rm(file, { force: true });
    const read = (folder: string | null) => this.#threads.run(() => readInThread({ file, folder }));
    try {
      await write(file, content);
    } catch (error) {
      await discard();
      throw error;
    }
    return {
      inspect: () => read(null),
      read: () => createReadStream(file),
      unpack: async (version) => {
        const folder = join(incoming, newUuid());
        try {
          await mkdir(folder, { mode: 0o700 });
          const inspected = await read(folder);
          if (version !== undefined) requireSame(inspected, version);
          await this.#putInPlace(folder, version ?? inspected);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
      discard,
    };
  }

  folder({ manifest, digest }: FilesOf): string {
    return join(this.#directory, ...manifest.id.split('/'), digest);
  }

  async has(version: FilesOf): Promise<boolean> {
    try {
      return (await stat(this.folder(version))).isDirectory();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['ENOENT', 'ENOTDIR'].includes(code)) return false;
      throw error;
    }
  }

  async *pack(version: FilesOf): AsyncIterable<Uint8Array> {
    const files = new Map<string, Uint8Array>();
    // No digest of these is known; they are compared with what was installed when the package is read.
    for (const path of [manifestFile, signatureFile]) {
      const content = await this.#contentOf(version, path);
      if (content !== null) files.set(path, content);
    }
    for (const path of Object.keys(version.manifest.files)) {
      const content = await this.read(version, path);
      if (content !== null) files.set(path, content);
    }
    // Loaded on first use: most servers never pack anything.
    const { writeArchive } = await import('./write-archive.ts');
    yield await writeArchive(files);
  }

  async faultOf(version: FilesOf): Promise<string | null> {
    for (const [path, hash] of Object.entries(version.manifest.files)) {
      const content = await this.#contentOf(version, path);
      if (content === null) return `${path} is missing`;
      if (createHash('sha256').update(content).digest('hex') !== hash) return `${path} was changed`;
    }
    return null;
  }

  async read(version: FilesOf, path: string): Promise<Buffer | null> {
    const { files } = version.manifest;
    const hash = Object.hasOwn(files, path) ? files[path] : undefined;
    if (hash === undefined) return null;
    const content = await this.#contentOf(version, path);
    if (content !== null && createHash('sha256').update(content).digest('hex') === hash) return content;
    throw new ParleyError('plugin_files_changed', `${path} ${content === null ? 'is missing' : 'was changed'}`);
  }

  async removeOthers(kept: readonly FilesOf[], id?: string): Promise<void> {
    const needed = new Set(kept.map((version) => this.folder(version)));
    if (id === undefined) await rm(join(this.#directory, incomingName), { recursive: true, force: true });
    for (const plugin of id === undefined ? await this.#plugins() : [join(this.#directory, ...id.split('/'))]) {
      const versions = await namesIn(plugin);
      const others = versions.map((name) => join(plugin, name)).filter((path) => !needed.has(path));
      for (const path of others) await rm(path, { recursive: true, force: true });
      if (others.length === versions.length) await rm(plugin, { recursive: true, force: true });
    }
  }

  /** The folders of plugins. */
  async #plugins(): Promise<string[]> {
    const folders: string[] = [];
    for (const author of await namesIn(this.#directory)) {
      for (const name of await namesIn(join(this.#directory, author)))
        folders.push(join(this.#directory, author, name));
    }
    return folders;
  }

  async #putInPlace(unpacked: string, version: FilesOf): Promise<void> {
    const folder = this.folder(version);
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    // The one that is there may be damaged, and is moved away at once.
    const former = join(this.#directory, incomingName, newUuid());
    await rename(folder, former).catch(ignoreMissing);
    await rename(unpacked, folder);
    await syncFolder(dirname(folder));
    await rm(former, { recursive: true, force: true });
  }

  async #contentOf(version: FilesOf, path: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.folder(version), path));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES'].includes(code)) return null;
      throw error;
    }
  }
}

/** @throws ParleyError `plugin_invalid` when it is larger than any package */
async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > packageLimits.packageBytes) throw tooLarge();
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return [];
    throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
