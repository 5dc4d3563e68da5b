import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ParleyError, PluginManifest, sdkVersion } from '@parley/sdk';
import { Check } from 'typebox/value';
import { linkSdk } from './link-sdk.ts';
import { type ProjectKind, projectKinds } from './project-kinds.ts';

/**
 * Writes the project of a new plugin: TypeScript that type-checks, packs and passes its tests.
 * @param id `author/name`
 * @param kind a name of {@link projectKinds}
 * @param folder absolute; made if it is not there
 * @returns the paths of its files in the folder
 * @throws ParleyError `invalid_request` for a wrong id or kind, `conflict` for a folder that is not empty
 */
export async function createProject(id: string, kind: string, folder: string): Promise<string[]> {
  if (!Check(PluginManifest.properties.id, id)) {
    throw new ParleyError(
      'invalid_request',
      'A plugin is named as author/name, in lower case: letters, digits, - and _',
    );
  }
  const chosen = Object.hasOwn(projectKinds, kind) ? projectKinds[kind] : undefined;
  if (chosen === undefined) {
    throw new ParleyError(
      'invalid_request',
      `There is no kind ${kind}; kinds are ${Object.keys(projectKinds).join(', ')}`,
    );
  }
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new ParleyError('conflict', `The folder ${folder} is not empty`);
  const files = projectFiles(id, chosen);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { flag: 'wx' });
  }
  await linkSdk(folder);
  return Object.keys(files);
}

const compilerOptions = {
  target: 'ES2024',
  lib: ['ES2024', 'ESNext.Iterator', 'ESNext.Collection', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
};

function projectFiles(id: string, kind: ProjectKind): Record<string, string> {
  const name = basename(id);
  const types = kind.handler.includes('RetrievedPassage') ? ', type RetrievedPassage' : '';
  const permissions =
    kind.permissions === undefined ? '' : `\n  permissions: { ${kind.permissions.replace(/,$/, '')} },`;
  return {
    'package.json': json({ name, private: true, type: 'module' }),
    'tsconfig.json': json({ compilerOptions, exclude: ['node_modules'] }),
    '.gitignore': 'node_modules/\n*.zip\n*.pem\n',
    'README.md': `# ${name}

\`\`\`sh
./parley plugin test ${name}
./parley plugin pack ${name}
\`\`\`
`,
    'manifest.ts': `import { defineManifest } from '@parley/sdk/plugin';

/** What the plugin adds, and what it may do. */
export default defineManifest({
  id: '${id}',
  version: '0.1.0',
  sdk: '^${sdkVersion}',
  label: { en_US: '${name}' },
  description: { en_US: 'Writes in capital letters.' },
  main: 'main.ts',
  contributes: {
    ${kind.contributes}
  },${permissions}
});
`,
    'main.ts': `import { definePlugin${types} } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';
import { shout } from './shout.ts';

/** A handler for each contribution of the manifest. */
export default definePlugin<typeof manifest>({
  ${kind.handler}
});
`,
    'shout.ts': `export function shout(text: string): string {
  return text.toUpperCase();
}
`,
    'samples.ts': `import { defineSamples } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';

/** What "parley plugin test" calls the plugin with. */
export default defineSamples<typeof manifest>({
  ${kind.samples}
});
`,
    'test/shout.test.ts': `import assert from 'node:assert/strict';
import test from 'node:test';
import { shout } from '../shout.ts';

test('writes in capital letters', () => {
  assert.equal(shout('hello'), 'HELLO');
});
`,
    ...kind.files,
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
