import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { literalSpreads } from './literal-spreads.ts';
import { unexplainedCasts } from './unexplained-casts.ts';

// The allocator is settled before there is a configuration.
const programs = new Set(['server/src/main.ts', 'server/src/cli/parley.ts', 'server/allocator.js']);
const generated = new Set(['client/src/schema.d.ts']);
const readsEnvironment =
  /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\b[^;\n]*(=\s*process\b|from '(node:)?process')/;
// In pieces, so that this file does not break the rule it states.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);

/** Compiles schemas, in a time that the author of the schema controls. */
const importsAjv = /\b(?:from|import|require)\s*\(?\s*['"]ajv(?:-[\w-]+)?(?:\/[^'"]*)?['"]/;
const ajvModules = new Set([
  // Schemas of our own routes.
  'server/src/http/validation.ts',
  // Only ever run in a thread that is ended when it takes too long.
  'server/src/schema-host/linear-reg-exp.ts',
  'server/src/schema-host/schema-validator.ts',
]);

/** A pattern that is not written down there: the engine goes back, so its author chooses how long it takes. */
const makesPattern = /\bRegExp\s*\(\s*(?!(['"])(?:\\.|(?!\1).)*\1\s*[,)]|`(?:\\.|[^`$]|\$(?!\{))*`\s*[,)])/;
const patternModules = new Set([
  // Put together from texts of their own.
  'sdk/src/provider-error.ts',
  'server/src/parsers/pdf/characters.ts',
  'server/src/runners/local-agent/citation-stream.ts',
  'server/src/runners/local-agent/citation-syntax.ts',
  // The name was found by another pattern.
  'server/src/stages/remove-think/thought-remover.ts',
  // Paths of our own routes.
  'server/src/http/websocket-paths.ts',
  // Only ever run in a thread that is ended when it takes too long.
  'server/src/schema-host/linear-reg-exp.ts',
]);

/** The clock of this machine, which other replicas do not share: `lib/clock.ts` has the one that they do. */
const readsOwnClock = /\bDate\.now\b|\bnew Date\(\)/;
const sharesRecords = /^server\/src\/(core|storage|platforms)\//;
const clockModules = new Set([
  // They measure how far the database's clock is from it.
  'server/src/storage/database-time.ts',
  'server/src/storage/replicas/postgres-replica.ts',
  // Compared with times that the file system or the bucket gave.
  'server/src/storage/files/disk-image-cache.ts',
  'server/src/storage/files/s3-blob-store.ts',
  // Files that only this process uses.
  'server/src/storage/knowledge/sqlite/embedding-cache.ts',
  'server/src/storage/knowledge/sqlite/knowledge-file.ts',
]);

/** Tests and what only they use; benchmarks and scripts are programs here. */
const testCode = /^server\/test\/|\/testing\/|\.test\.tsx?$/;

/** The rules that one file breaks, by its path from the root with forward slashes. */
export function sourceFaults(path: string, content: string): string[] {
  const faults: string[] = [];
  const name = path.split('/').at(-1) ?? '';
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|long\.test|config|d))?\.[a-z]+$/.test(name))
    faults.push('the name is not kebab-case');
  if (!generated.has(path) && content.split('\n').length > 501) faults.push('the file has more than 500 lines');
  if (unfinished.test(content)) faults.push('the file says that something is unfinished');
  if (!mayReadEnvironment(path) && readsEnvironment.test(content)) faults.push('the file reads the environment');
  if (!isTest(path) && !ajvModules.has(path) && importsAjv.test(content)) faults.push('the file compiles schemas');
  if (!isTest(path) && !patternModules.has(path) && makesPattern.test(content)) {
    faults.push('the file makes a pattern from a variable');
  }
  if (sharesRecords.test(path) && !testCode.test(path) && !clockModules.has(path) && readsOwnClock.test(content)) {
    faults.push('the file reads the clock of this machine');
  }
  if (/\.(tsx?|mts|m?js)$/.test(path)) {
    faults.push(...literalSpreads(path, content).map((line) => `line ${line} spreads an object literal`));
  }
  if (/\.tsx?$/.test(path) && !testCode.test(path)) {
    faults.push(...unexplainedCasts(path, content).map((line) => `line ${line} has a cast without a comment`));
  }
  return faults;
}

function isTest(path: string): boolean {
  return /^(server\/test|scripts|bench)\/|\/testing\/|\.test\.tsx?$/.test(path);
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
