import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServiceProcess, startInVain, startServiceProcess } from '../factories/start-service-process.ts';
import { type S3Server, startS3Server } from '../fakes/s3-server/start-s3-server.ts';
import { apiKey, signedIn } from './api-client.ts';

let dataDir: string;
let server: S3Server;
const services: ServiceProcess[] = [];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-bucket-'));
  server = await startS3Server();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (environment: Record<string, string> = {}) => {
  const service = await startServiceProcess({ dataDir, environment });
  services.push(service);
  return service;
};
const inBucket = () => ({
  PARLEY_S3_BUCKET: server.bucket,
  PARLEY_S3_ENDPOINT: server.endpoint,
  PARLEY_S3_ACCESS_KEY_ID: 'the-access-key',
  PARLEY_S3_SECRET_ACCESS_KEY: 'the-secret-key',
  PARLEY_S3_PREFIX: 'parley/',
  PARLEY_S3_PATH_STYLE: 'true',
});
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89';

/** Uploads an image. @returns its path and its content */
async function upload(service: ServiceProcess, size: number): Promise<{ path: string; content: Buffer }> {
  const content = Buffer.concat([Buffer.from(png, 'latin1'), Buffer.alloc(size, 'a')]);
  const headers = { authorization: `Bearer ${await apiKey(await signedIn(service.address))}` };
  const body = new FormData();
  body.append('file', new Blob([content]), 'a.png');
  const response = await fetch(`${service.address}/api/v1/files/images`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { file_key: string } };
  return { path: `/api/v1/files/image/${data.file_key}`, content };
}

const download = async (service: ServiceProcess, path: string) => {
  const response = await fetch(service.address + path);
  return Buffer.from(await response.arrayBuffer());
};

it('uploads are in the bucket, and there after a restart', async () => {
  const first = await start(inBucket());
  const image = await upload(first, 7_000_000);
  expect(await first.stop()).toMatchObject({ code: 0 });
  expect(server.objects()).toHaveLength(2);
  expect(server.objects()).toContain('parley/installation');
  expect(readdirSync(dataDir)).not.toContain('files');

  const second = await start(inBucket());
  expect((await download(second, image.path)).equals(image.content)).toBe(true);
  await second.stop();

  const elsewhere = await startInVain({ dataDir, environment: { ...inBucket(), PARLEY_S3_PREFIX: 'other/' } });
  expect(elsewhere.stderr).toMatch(/are not in the bucket files below other\/.*PARLEY_S3_BUCKET/);
  const stranger = mkdtempSync(join(tmpdir(), 'parley-bucket-'));
  const other = await startInVain({ dataDir: stranger, environment: inBucket() });
  rmSync(stranger, { recursive: true, force: true });
  expect(other.stderr).toMatch(/belong to another installation/);
  for (const { stderr } of [elsewhere, other]) expect(stderr).not.toMatch(/the-access-key|the-secret-key/);
});

it('a folder that is not there any more refuses the start, and one that was moved is taken', async () => {
  const first = await start();
  const image = await upload(first, 100);
  await first.stop();
  const moved = join(dataDir, 'moved');
  renameSync(join(dataDir, 'files'), moved);
  const empty = await startInVain({ dataDir });
  expect(empty.stderr).toMatch(/Check whether the place is mounted, and PARLEY_FILES_FOLDER/);
  // As an installation that is older than the mark.
  rmSync(join(moved, 'installation'));
  const second = await start({ PARLEY_FILES_FOLDER: moved });
  expect((await download(second, image.path)).equals(image.content)).toBe(true);
  expect(readdirSync(moved)).toContain('installation');
});
