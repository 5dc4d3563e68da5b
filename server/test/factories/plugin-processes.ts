import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A running process of a plugin. */
export interface FoundProcess {
  pid: number;
  /** `author/name` */
  plugin: string;
}

/** The processes of plugins that are installed in a data folder, by their command lines. Linux only. */
export function pluginProcessesOf(dataDir: string): FoundProcess[] {
  const folder = `${join(dataDir, 'plugins')}/`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const main = commandLine(pid).find((argument) => argument.startsWith(folder));
      if (main === undefined) return [];
      const [author, name] = main.slice(folder.length).split('/');
      return [{ pid: Number(pid), plugin: `${author}/${name}` }];
    });
}

/** Empty for a process that has just ended. */
function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
