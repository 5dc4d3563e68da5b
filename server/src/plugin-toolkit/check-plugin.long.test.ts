import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedResource } from '../../test/shared/shared-resource.ts';
import { type CheckedPlugin, checkPlugin } from './check-plugin.ts';
import { createProject } from './create-project.ts';

let folder: string;
beforeAll(async () => void (await sharedResource('commandLine')), 120_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Checks a new project of a kind with changes; its types are wrong then. */
async function checked(kind: string, changes: [path: string, from: string, to: string][]): Promise<CheckedPlugin[]> {
  await createProject(`ada/${kind}`, kind, folder);
  for (const [path, from, to] of changes) {
    const content = readFileSync(join(folder, path), 'utf8');
    expect(content).toContain(from);
    writeFileSync(join(folder, path), content.replace(from, to));
  }
  const checks: CheckedPlugin[] = [];
  for await (const check of checkPlugin(folder, { hasTypes: false })) checks.push(check);
  return checks;
}

const failuresOf = (checks: CheckedPlugin[]) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ name, remark }) => `${name}: ${remark}`);

describe('the test of a plugin', () => {
  it.each([
    ['tool', 'shout: (', 'other: (', /^starts, .*: tool shout: is required$/],
    ['tool', 'export default', 'process.exit(2);\nexport default', /^starts, .*ended while it started/],
    ['tool', '=> shout(text)', '=> text', /^tool shout answers: the answer "hello" is without "HELLO"$/],
    ['tool', '=> shout(text)', '=> 5', /^tool shout answers: The tool shout gave no result$/],
    ['command', "=> shout(parameters.join(' '))", '=> [{ type: "Picture" }]', /^command shout answers: .*/],
    [
      'listener',
      "action: 'change'",
      "action: 'answer'",
      /^listener answer returns what it may: A listener of answer cannot/,
    ],
    ['parser', 'page_kind: null,', '', /^parser reads files: the parser returned no document: /],
    [
      'parser',
      'const lines',
      'if (bytes.length === 0) process.exit(3);\n    const lines',
      /^parser bears broken files: /,
    ],
    ['engine', 'if (!shout(text)', 'if (shout(text)', /^engine finds passages: "Lighthouse" does not find/],
    [
      'engine',
      'await host.storage.delete',
      'await host.storage.get',
      /^engine removes .*: "Lighthouse" finds a document/,
    ],
    [
      'runner',
      "yield { type: 'text'",
      "yield { type: 'words'",
      /^runner shout answers: The runner shout gave no answer$/,
    ],
    [
      'schedule',
      'host.log(',
      'host.storage.set(',
      /^schedule daily runs: The plugin has no permission for storage_set$/,
    ],
  ])('finds what is wrong with a %s: %s', async (kind, from, to, failure) => {
    const [first = ''] = failuresOf(await checked(kind, [['main.ts', from, to]]));
    expect(first).toMatch(failure);
  });

  it('says what has no samples, and what is wrong with those that there are', async () => {
    const checks = await checked('tool', [['samples.ts', "{ text: 'hello' }", '{ text: 5 }']]);
    expect(failuresOf(checks)[0]).toMatch(/^tool shout answers: a sample is not as its schema: /);
    rmSync(join(folder, 'samples.ts'));
    const without: CheckedPlugin[] = [];
    for await (const check of checkPlugin(folder, { hasTypes: false })) without.push(check);
    expect(without).toContainEqual(expect.objectContaining({ name: 'tool shout answers', outcome: 'skipped' }));
  });

  it('runs the tests of the project', async () => {
    const checks = await checked('tool', [['test/shout.test.ts', "'HELLO'", "'HOLA'"]]);
    expect(failuresOf(checks)).toEqual([expect.stringContaining('HOLA')]);
  });
});
