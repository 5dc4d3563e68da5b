import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySourceTree, replaceInTree } from '../../faults/lib/source-tree.ts';
import { withFolder } from '../../lib/service-process.ts';
import { defects } from '../defects.ts';
import type { ReplicaScenario } from '../scenario.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const settings = 'vitest.config.ts';

/** Runs a file of tests in a tree, each test once. @returns what it printed when one failed; null when all passed */
async function failureOf(tree: string, test: string): Promise<string | null> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const flags = ['--root', tree, '--config', join(tree, settings), '--retry', '0', '--reporter', 'dot'];
  const child = spawn(process.execPath, [vitest, 'run', ...flags, test], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return code === 0 ? null : output;
}

/** Names of the tests that failed. */
function failedTests(output: string): string[] {
  return [...new Set([...output.matchAll(/FAIL .*? > (.*)/g)].map(([, name]) => String(name)))];
}

export const defectsScenario: ReplicaScenario = {
  summary:
    'Puts each defect into a copy of the sources and looks whether the tests find it, which pass in another copy.',
  run: async ({ log, tree }) => {
    const problems: string[] = [];
    let found = 0;
    for (const { name, replacements, test } of defects) {
      await withFolder(async (folder) => {
        const [sound, broken] = [join(folder, 'sound'), join(folder, 'broken')];
        for (const copy of [sound, broken]) {
          await mkdir(copy);
          await copySourceTree(copy, tree);
          await cp(join(tree ?? root, settings), join(copy, settings));
        }
        const missing = await replaceInTree(broken, replacements);
        if (missing !== null) return void problems.push(`"${name}" cannot be put in: ${missing}`);
        const [before, after] = await Promise.all([failureOf(sound, test), failureOf(broken, test)]);
        if (before !== null) return void problems.push(`${test} fails without "${name}": ${before.slice(-2000)}`);
        const failed = failedTests(after ?? '');
        log(`"${name}" was ${failed.length > 0 ? '' : 'not '}found: ${failed.join('; ')}`);
        if (failed.length > 0) found += 1;
        else problems.push(`"${name}" was not found`);
      });
    }
    return { figures: { defects: defects.length, found }, problems };
  },
};
