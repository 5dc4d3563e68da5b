import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

interface Manifest {
  workspaces?: string[];
  allowScripts?: Record<string, boolean>;
  [kind: string]: unknown;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const manifest = read('package.json') as Manifest;
const lock = read('package-lock.json') as { packages: Record<string, LockEntry> };
const workspaces = manifest.workspaces ?? [];

/** Errors of one entry of the lock file. */
function lockFaults(path: string, { version, integrity, resolved, link }: LockEntry): string[] {
  if (path === '' || workspaces.includes(path)) return [];
  if (link === true) return workspaces.includes(resolved ?? '') ? [] : [`${path} leads out of the project`];
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return [
    ...(/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ? [] : [`${path} has no integrity`]),
    ...(isOfRegistry(resolved, name, version) ? [] : [`${path} does not come from a registry`]),
  ];
}

/** Registries give out archives as `<name>/-/<name>-<version>.tgz`; without an address npm asks the one that is set. */
function isOfRegistry(resolved: string | undefined, name: string, version: string | undefined): boolean {
  if (resolved === undefined) return true;
  const url = URL.parse(resolved);
  const file = `${name.split('/').at(-1)}-${version}.tgz`;
  return url?.protocol === 'https:' && url.username === '' && url.pathname.endsWith(`/${name}/-/${file}`);
}

/** Ranges of versions, and nothing that names a place. */
const range = /^(?:\$[\w@/-]+|[~^]?\d+(?:\.\d+){0,2}(?:-[\w.]+)?|>=\d+(?:\.\d+){0,2}(?: <\d+(?:\.\d+){0,2})?|\*)$/;

function rangeFaults(specs: unknown, at: string): string[] {
  return Object.entries((specs ?? {}) as Record<string, unknown>).flatMap(([name, spec]) => {
    if (spec === undefined) return [];
    if (typeof spec === 'object') return rangeFaults(spec, `${at}.${name}`);
    return range.test(String(spec)) ? [] : [`${at}: ${name} is ${spec}`];
  });
}

describe('the packages of the lock file', () => {
  it('have an integrity and come from a registry', () => {
    const entries = Object.entries(lock.packages);
    expect(entries.length).toBeGreaterThan(500);
    expect(entries.flatMap(([path, entry]) => lockFaults(path, entry))).toEqual([]);
  });

  const integrity = `sha512-${'A'.repeat(86)}==`;
  it.each<[string, LockEntry]>([
    ['no integrity', { version: '1.0.0' }],
    ['a weak integrity', { version: '1.0.0', integrity: `sha1-${'A'.repeat(27)}=` }],
    ['a repository', { version: '1.0.0', integrity, resolved: 'git+ssh://git@example.com/a/b.git#0123456' }],
    ['a repository over https', { version: '1.0.0', integrity, resolved: 'git+https://example.com/a/b.git#0123456' }],
    ['an archive elsewhere', { version: '1.0.0', integrity, resolved: 'https://example.com/b.tgz' }],
    ['an archive of another package', { version: '1.0.0', integrity, resolved: 'https://example.com/c/-/c-1.0.0.tgz' }],
    ['an archive of another version', { version: '1.0.0', integrity, resolved: 'https://example.com/b/-/b-2.0.0.tgz' }],
    ['plain HTTP', { version: '1.0.0', integrity, resolved: 'http://example.com/b/-/b-1.0.0.tgz' }],
    ['an account', { version: '1.0.0', integrity, resolved: 'https://a:b@example.com/b/-/b-1.0.0.tgz' }],
    ['a file', { version: '1.0.0', integrity, resolved: 'file:../b.tgz' }],
    ['a folder', { link: true, resolved: '../b' }],
  ])('would be refused with %s', (_name, entry) => {
    expect(lockFaults('node_modules/a/node_modules/b', entry)).toHaveLength(1);
  });

  it('would be taken from any registry', () => {
    const entry = { version: '1.0.0', integrity, resolved: 'https://example.com/npm/@a/b/-/b-1.0.0.tgz' };
    expect(lockFaults('node_modules/@a/b', entry)).toEqual([]);
  });
});

describe('the packages that are asked for', () => {
  it('are named by their versions, not by a place', () => {
    for (const folder of ['', ...workspaces.map((name) => `${name}/`)]) {
      const at = `${folder}package.json`;
      const { dependencies, devDependencies, optionalDependencies, peerDependencies, overrides } = read(at) as Manifest;
      const specs = { dependencies, devDependencies, optionalDependencies, peerDependencies, overrides };
      expect(rangeFaults(specs, at)).toEqual([]);
    }
  });

  it.each([
    'github:a/b',
    'git+https://example.com/a.git',
    'https://example.com/a.tgz',
    'file:../a',
    'a/b',
    'latest',
    '',
  ])('would be refused as %j', (spec) => {
    expect(rangeFaults({ a: spec }, 'package.json')).toHaveLength(1);
  });
});

it('install scripts are run of the packages that are listed, and every package that has one was decided on', () => {
  const withScripts = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(withScripts.length).toBeGreaterThan(0);
  expect(Object.keys(manifest.allowScripts ?? {}).sort()).toEqual(withScripts.sort());
});
