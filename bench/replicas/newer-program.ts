import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copySourceTree, replaceInTree } from '../faults/lib/source-tree.ts';

const folder = 'server/src/storage/migrations';

/** Texts that the sources have to hold exactly once. */
export const replacements = [
  {
    file: `${folder}/index.ts`,
    from: "import type { Migration } from './migration.ts';",
    to: "import type { Migration } from './migration.ts';\nimport { nextVersion } from './next-version.ts';",
  },
  { file: `${folder}/index.ts`, from: '\n];', to: '\n  nextVersion,\n];' },
] as const;

/** Of a column of the table that most statements use. */
const migration = `import type { Migration } from './migration.ts';

export const nextVersion: Migration = {
  name: '9999-next-version',
  kind: 'expand',
  statements: (schema) => [schema.alterTable('messages').addColumn('next_version', 'text')],
};
`;

/** Copies the sources of the next version of the program: it has one more migration, which only adds. @param from a checkout */
export async function copyNewerProgram(tree: string, from: string | undefined): Promise<void> {
  await copySourceTree(tree, from);
  const missing = await replaceInTree(tree, replacements);
  if (missing !== null) throw new Error(missing);
  await writeFile(join(tree, folder, 'next-version.ts'), migration);
}
