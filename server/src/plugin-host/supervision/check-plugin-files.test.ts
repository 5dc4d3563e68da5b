import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PluginProgram } from '../../core/plugins/plugin-caller.ts';
import { checkPluginFiles } from './check-plugin-files.ts';

let folder: string;
let program: Pick<PluginProgram, 'id' | 'folder' | 'files'>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-plugin-files-'));
  await mkdir(join(folder, 'pages'));
  await writeFile(join(folder, 'main.js'), 'export default {};');
  await writeFile(join(folder, 'pages/index.html'), '<p>');
  await writeFile(join(folder, 'parley-plugin.json'), '{}');
  await writeFile(join(folder, 'parley-plugin.sig'), '{}');
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  program = {
    id: 'example/units',
    folder,
    files: { 'main.js': hash('export default {};'), 'pages/index.html': hash('<p>') },
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const changes: [what: string, change: () => Promise<unknown>, named: string][] = [
  ['a changed file', () => writeFile(join(folder, 'main.js'), 'export default { };'), 'main.js'],
  ['a further file', () => writeFile(join(folder, 'pages/more.js'), ''), 'pages/more.js'],
  ['a missing file', () => rm(join(folder, 'pages/index.html')), 'pages/index.html'],
  ['a link to a file', () => symlink('main.js', join(folder, 'more.js')), 'more.js'],
  ['a link to a folder', () => symlink('/etc', join(folder, 'etc')), 'etc'],
  [
    'a listed file that is a link',
    async () => {
      await rm(join(folder, 'main.js'));
      await symlink('pages/index.html', join(folder, 'main.js'));
    },
    'main.js',
  ],
  ['a missing folder', () => rm(folder, { recursive: true }), 'folder'],
];

test('the files of a manifest are accepted', async () => {
  await expect(checkPluginFiles(program)).resolves.toBeUndefined();
});

test.each(changes)('%s is refused', async (_, change, named) => {
  await change();
  await expect(checkPluginFiles(program)).rejects.toMatchObject({
    reason: 'plugin_files_changed',
    message: expect.stringContaining(named),
  });
});
