import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

// The allocator is settled before there is a configuration.
const programs = new Set(['server/src/main.ts', 'server/src/cli/parley.ts', 'server/allocator.js']);
const generated = new Set(['client/src/schema.d.ts']);
const readsEnvironment =
  /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\b[^;\n]*(=\s*process\b|from '(node:)?process')/;
// In pieces, so that this file does not break the rule it states.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);

/** The rules that one file breaks, by its path from the root with forward slashes. */
export function sourceFaults(path: string, content: string): string[] {
  const faults: string[] = [];
  const name = path.split('/').at(-1) ?? '';
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|d))?\.[a-z]+$/.test(name)) faults.push('the name is not kebab-case');
  if (!generated.has(path) && content.split('\n').length > 501) faults.push('the file has more than 500 lines');
  if (unfinished.test(content)) faults.push('the file says that something is unfinished');
  if (!mayReadEnvironment(path) && readsEnvironment.test(content)) faults.push('the file reads the environment');
  return faults;
}

/** Only programs read it in production, to hand it on as a value. */
function mayReadEnvironment(path: string): boolean {
  return programs.has(path) || /^(server\/test|scripts|bench|examples)\/|\.(test|config)\.tsx?$/.test(path);
}

/** Every source file below the folders, with its content. */
export function* sourceFiles(root: string, folders: string[]): Generator<{ path: string; content: string }> {
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'dist') yield* sourceFiles(root, [path]);
      } else if (/\.(ts|tsx|mts|js|mjs|css)$/.test(entry.name)) {
        yield { path: relative('.', path).split(sep).join('/'), content: readFileSync(join(root, path), 'utf8') };
      }
    }
  }
}
