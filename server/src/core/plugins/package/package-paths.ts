import { refusal } from './plugin-fault.ts';

const longestPath = 200;
const mostLevels = 10;
/** ASCII, which is the same file on every system. Hidden files, and dots at the end, are not. */
const partPattern = /^[A-Za-z0-9_@+-](?:[A-Za-z0-9._@+-]*[A-Za-z0-9_@+-])?$/;
/** Names that Windows takes for devices, whatever follows their first dot. */
const devicePattern = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Where a path would be unpacked to: the same on every file system, inside of its folder, and unique. */
export class PackagePaths {
  readonly #added = new Set<string>();
  readonly #known = new Map<string, { path: string; isFolder: boolean }>();

  /**
   * Adds a path of an archive; one of a folder ends with `/`.
   * @throws ParleyError `plugin_invalid` when it may not be in a package, or not along with one that was added before
   */
  add(path: string): void {
    const isFolder = path.endsWith('/');
    const parts = (isFolder ? path.slice(0, -1) : path).split('/');
    const fault = pathFault(path, parts);
    if (fault !== null) throw refusal(path, fault);
    if (this.#added.has(path)) throw refusal(path, 'is in the package twice');
    this.#added.add(path);
    for (let level = 1; level < parts.length; level += 1) this.#claim(path, parts.slice(0, level).join('/'), true);
    this.#claim(path, parts.join('/'), isFolder);
  }

  #claim(path: string, place: string, isFolder: boolean): void {
    const key = place.toLowerCase();
    const before = this.#known.get(key);
    if (before !== undefined && before.path !== place) {
      throw refusal(path, `differs from ${before.path} only in upper and lower case`);
    }
    if (before !== undefined && before.isFolder !== isFolder) {
      throw refusal(path, `${place} is both a file and a folder`);
    }
    this.#known.set(key, { path: place, isFolder });
  }
}

function pathFault(path: string, parts: readonly string[]): string | null {
  if (path === '') return 'has an entry without a name';
  if (path.length > longestPath) return `its path is longer than ${longestPath} characters`;
  if (parts.includes('..') || parts.includes('.')) return 'its path leads elsewhere';
  if (path.startsWith('/') || path.startsWith('\\') || /^[A-Za-z]:/.test(path)) return 'its path is absolute';
  if (path.includes('\\')) return 'its path has a backslash';
  if (parts.length > mostLevels) return `its path has more than ${mostLevels} levels`;
  if (parts.some((part) => devicePattern.test(part))) return 'its path has the name of a device';
  return parts.every((part) => partPattern.test(part))
    ? null
    : 'its path has other characters than letters, digits and . _ - + @, or begins or ends with a dot';
}
