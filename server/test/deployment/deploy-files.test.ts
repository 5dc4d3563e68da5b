import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { loadConfig } from '../../src/config/index.ts';
import { maximumFileBytes } from '../../src/core/files/file.ts';
import type { ComposeService } from './compose-file.ts';
import { readDeployment, replicasOf, upstreams } from './deploy-files.ts';
import { isInContext } from './image-file.ts';

const secrets = { POSTGRES_PASSWORD: 'secret', PARLEY_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
const deployment = readDeployment(secrets);
const { services, image, nginx, ignored } = deployment;
const replicas = replicasOf(deployment);
/** How long bots are handed over at most when a replica stops, milliseconds. */
const handOver = 10_000;

function settings({ environment }: ComposeService) {
  const all = { ...image.environment, ...environment };
  return loadConfig({ environment: all, workingDirectory: '/app' });
}

it('secrets have no default', () => {
  for (const name of Object.keys(secrets)) {
    expect(() => readDeployment({ ...secrets, [name]: '' })).toThrow(name);
  }
});

it('the image has the pinned Node.js and runs what npm start runs, not as root', () => {
  const [version] = new Set(Object.values(manifest.optionalDependencies));
  expect(new Set(image.bases)).toEqual(new Set([`node:${version}-slim`]));
  expect(image.command.join(' ')).toBe(manifest.scripts.start);
  expect(image.user).toBe('node');
});

it('the image is built by the steps of the repository, from what it has', () => {
  const steps = image.runs.find((run) => run.startsWith('node scripts/prepare.mjs'));
  expect(steps).toBe(manifest.scripts.prestart);
  const needed = ['scripts/prepare.mjs', 'scripts/build-command-line.ts', 'server/bin/parley.js'];
  needed.push('server/allocator.js', 'server/src/main.ts', 'sdk/src/index.ts', 'client/src/index.ts', 'parley');
  needed.push('web/index.html', 'docs/openapi.json', 'docs/replicas.md', 'docs/images', 'package-lock.json');
  for (const path of needed) {
    expect(existsSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url))), path).toBe(true);
    expect(isInContext(path, ignored), path).toBe(true);
  }
  for (const path of [
    'deploy/.env',
    '.git/config',
    'data/parley.db',
    'node_modules/pg/index.js',
    'server/dist/parley.js',
  ]) {
    expect(isInContext(path, ignored), path).toBe(false);
  }
});

it('the settings of all replicas are valid, and the same except for their own address', () => {
  expect(replicas.length).toBeGreaterThan(1);
  const [first, ...others] = replicas.map(([, service]) => settings(service));
  for (const other of others) expect({ ...other, replicaAddress: null }).toEqual({ ...first, replicaAddress: null });
  for (const [name, service] of replicas) {
    expect(settings(service)).toMatchObject({
      host: '0.0.0.0',
      databaseUrl: `postgres://parley:${secrets.POSTGRES_PASSWORD}@postgres:5432/parley`,
      secretKey: secrets.PARLEY_SECRET_KEY,
      replicaAddress: expect.stringMatching(new RegExp(`^${name}:\\d+$`)),
    });
  }
});

it('replicas share the folder of files and have data folders of their own', () => {
  const folders = replicas.map(([, service]) => {
    const { dataDir, filesFolder } = settings(service);
    return { data: service.mounts[dataDir], files: service.mounts[filesFolder ?? ''] };
  });
  expect(new Set(folders.map(({ data }) => data)).size).toBe(replicas.length);
  expect(new Set(folders.map(({ files }) => files))).toEqual(new Set(['files']));
});

it('a replica may end by itself before it is killed', () => {
  for (const [, service] of replicas) {
    const { drainSeconds, shutdownTimeoutSeconds } = settings(service);
    expect(service.stopGracePeriod).toBeGreaterThan(1000 * (drainSeconds + shutdownTimeoutSeconds) + handOver);
  }
});

it('nginx passes requests to all replicas, and accepts the largest upload', () => {
  const ports = replicas.map(([name, service]) => ({ host: name, port: settings(service).port }));
  expect(upstreams(deployment)).toEqual(ports);
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginx) ?? [];
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(maximumFileBytes);
});

it('only this machine reaches the port unless told otherwise', () => {
  const published = [...services].flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
  expect(published).toEqual([['nginx', '127.0.0.1:8080:8080']]);
  const [address = ''] = settings(replicas[0]?.[1] as ComposeService).publicUrl?.match(/:\d+$/) ?? [];
  expect(published[0]?.[1]).toContain(`${address}:`);
});

it('health checks ask for the port on which the service listens', () => {
  const port = settings(replicas[0]?.[1] as ComposeService).port;
  expect(image.healthCommand.join(' ')).toContain(`http://127.0.0.1:${port}/healthz`);
  for (const [, { health }] of replicas) expect(health.command.join(' ')).toContain(`127.0.0.1:${port}/readyz`);
});
