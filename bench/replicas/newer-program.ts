import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copySourceTree, replaceInTree } from '../faults/lib/source-tree.ts';
import { withFolder } from '../lib/service-process.ts';

const folder = 'server/src/storage/migrations';

/** Texts that the sources have to hold exactly once. */
export const replacements = [
  {
    file: `${folder}/index.ts`,
    from: "import type { Migration } from './migration.ts';",
    to: "import type { Migration } from './migration.ts';\nimport { nextVersion, versionAfter } from './next-version.ts';",
  },
  { file: `${folder}/index.ts`, from: '\n];', to: '\n  nextVersion,\n  versionAfter,\n];' },
] as const;

/** The one that is applied by a start: to the table that most statements use. */
export const expansion = '9998-next-version';
/** The one that waits until no process is left that does not know it. */
export const contraction = '9999-version-after';

const sources = `import type { Migration } from './migration.ts';

export const nextVersion: Migration = {
  name: '${expansion}',
  kind: 'expand',
  statements: (schema) => [
    schema.alterTable('messages').addColumn('next_version', 'text'),
    schema.createTable('former_notes').addColumn('note', 'text'),
  ],
};

export const versionAfter: Migration = {
  name: '${contraction}',
  kind: 'contract',
  statements: (schema) => [schema.dropTable('former_notes')],
};
`;

/**
 * Copies the sources of the next version of the program: it has two more migrations, of which one only adds.
 * @param from a checkout
 */
export async function copyNewerProgram(tree: string, from: string | undefined): Promise<void> {
  await copySourceTree(tree, from);
  const missing = await replaceInTree(tree, replacements);
  if (missing !== null) throw new Error(missing);
  await writeFile(join(tree, folder, 'next-version.ts'), sources);
}

/** What `parley migrate` of a program says: names of migrations. */
interface Migrated {
  applied: string[];
  waiting: string[];
}

/** Brings the tables of a database up to date with the command of a program. @param tree its sources */
export async function migrateWith(tree: string, databaseUrl: string): Promise<Migrated> {
  return await withFolder(async (dataDir) => {
    const child = spawn(process.execPath, ['server/src/cli/parley.ts', 'migrate', '--json'], {
      cwd: tree,
      env: {
        ...process.env,
        PARLEY_CONFIG_FILE: '/dev/null',
        PARLEY_DATA_DIR: dataDir,
        PARLEY_DATABASE_URL: databaseUrl,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = text(child.stdout);
    const [code] = await once(child, 'close');
    // As docs/command-line.md says.
    const migrated = JSON.parse(await said) as Migrated;
    if (code !== (migrated.waiting.length > 0 ? 1 : 0)) throw new Error(`parley migrate ended with ${code}`);
    return migrated;
  });
}
