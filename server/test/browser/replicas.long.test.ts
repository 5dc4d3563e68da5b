import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { english } from '../../../web/src/locales/en/index.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { emptyDatabase } from '../postgres/test-database.ts';
import { freePort } from '../shared/free-port.ts';
import { type ConsoleVisit, visitConsole } from './console-visit.ts';
import { fill } from './texts.ts';

const texts = english.systemPage;
const folder = mkdtempSync(join(tmpdir(), 'parley-replicas-test-'));
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let visit: ConsoleVisit;
let other: ServiceProcess;
vi.setConfig({ testTimeout: 120_000 });

const settings = async (auditRetentionDays: string) => ({
  PARLEY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  PARLEY_FILES_FOLDER: join(folder, 'files'),
  PARLEY_DATABASE_URL: database.url,
  PARLEY_REPLICA_ADDRESS: `127.0.0.1:${await freePort()}`,
  PARLEY_AUDIT_RETENTION_DAYS: auditRetentionDays,
});

beforeAll(async () => {
  database = await emptyDatabase();
  visit = await visitConsole({ environment: await settings('365') });
  other = await startServiceProcess({ dataDir: join(folder, 'data'), environment: await settings('30') });
}, 180_000);
afterAll(async () => {
  await other?.kill('SIGKILL');
  await visit?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const replicas = () => visit.page.getByRole('list', { name: texts.replicas, exact: true }).getByRole('listitem');

test('the system page shows all replicas, what each does and which settings differ', async () => {
  await visit.open('/system');
  await expect.poll(() => replicas().count(), { timeout: 60_000 }).toBe(2);
  const self = replicas().filter({ hasText: texts.thisReplica });
  await self.getByText(fill(texts.duties, { duties: '' }).trim()).waitFor();
  await self.getByText(texts.dutyNames.housekeeping).waitFor();
  const second = replicas().filter({ hasNotText: texts.thisReplica });
  await second.getByText(texts.replicaStates.live, { exact: true }).waitFor();
  await second.getByText('audit_retention_days').waitFor();
  expect(await second.getByText(texts.unreachable).count()).toBe(0);
  await visit.look('system-replicas');
});

test('it warns of one that cannot be reached, and leaves out one that has ended', async () => {
  const second = replicas().filter({ hasNotText: texts.thisReplica });
  await visit.page.route('**/api/v1/system/replicas', async (route) => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    const connections = { needed: 30, available: 20 };
    for (const one of data.replicas) if (!one.is_self) Object.assign(one, { is_reachable: false, takeovers: 2 });
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, connections } } });
  });
  await second.getByText(texts.unreachable).waitFor();
  await visit.page.getByRole('alert').filter({ hasText: '30' }).waitFor();
  await visit.look('system-replicas-unreachable');
  await visit.page.unroute('**/api/v1/system/replicas');
  await other.kill('SIGTERM');
  // With one replica there is nothing to compare.
  await replicas().first().waitFor({ state: 'detached', timeout: 60_000 });
  expect(visit.complaints).toEqual([]);
});
