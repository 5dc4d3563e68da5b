import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commitFaults, subjectFaults } from './check-commit-subjects.ts';

let folder: string;

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

/** @returns the hash of the commit */
function commit(subject: string): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  git(...author, 'commit', '--quiet', '--allow-empty', '--message', `${subject}\n\nA long body. It ends.`);
  return git('rev-parse', 'HEAD');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-subjects-'));
  git('init', '--quiet');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

it.each(['http: bound bodies of open routes', 'x'.repeat(72), '限'.repeat(72), '🙂'.repeat(72)])(
  '%s passes',
  (subject) => {
    expect(subjectFaults(subject)).toEqual([]);
  },
);

it.each([
  ['http: bound bodies.', ['ends with a full stop']],
  ['x'.repeat(73), ['has 73 characters, at most 72 are allowed']],
  [`${'x'.repeat(80)}.`, ['has 81 characters, at most 72 are allowed', 'ends with a full stop']],
])('%s fails', (subject, faults) => {
  expect(subjectFaults(subject)).toEqual(faults);
});

it('names each faulty commit after the given one, and no earlier one', () => {
  const first = commit('The first ends with a stop.');
  commit('fine');
  const faulty = commit('web: also ends.');
  expect(commitFaults(folder, first)).toEqual([
    `${git('rev-parse', '--short', faulty)} web: also ends.: ends with a full stop`,
  ]);
  expect(commitFaults(folder, faulty)).toEqual([]);
});

it('checks nothing without the history', () => {
  commit('Ends with a stop.');
  expect(commitFaults(folder, '0123456789012345678901234567890123456789')).toBeNull();
  expect(commitFaults(tmpdir(), '0123456789012345678901234567890123456789')).toBeNull();
});
