import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@parley/sdk/testing';
import { expect } from 'vitest';
import { KyselyCollectionStore } from '../../src/storage/knowledge/kysely-collection-store.ts';
import { openChunkStore } from '../../src/storage/knowledge/open-chunk-store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { type ApiClient, signedIn } from '../end-to-end/api-client.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import type { StoragePlace } from '../stores/open-test-storage.ts';

/** A point at which the service is killed. */
export type Step =
  | 'queued'
  | 'parsing'
  | 'chunking'
  | 'embedding'
  | 'adding'
  | 'publishing'
  | 'published'
  | 'removing'
  | 'removed'
  | 'rebuilding'
  | 'switching'
  | 'dropped';

const ofCollections: ReadonlySet<Step> = new Set(['rebuilding', 'switching', 'dropped']);
const patience = { timeout: 60_000 };
const program = 'server/test/knowledge/crash-service.ts';

/**
 * Kills the service with SIGKILL at each step, restarts it, and expects that all work completes, that ready documents
 * are found at all times, and that no orphans remain.
 * @param isWithVectors whether the database can keep vectors
 */
export async function killAtSteps(place: StoragePlace, steps: readonly Step[], isWithVectors: boolean): Promise<void> {
  const running: ServiceProcess[] = [];
  const start = async (pauseAt = '') => {
    const service = await startServiceProcess({ ...place, program, environment: { TEST_PAUSE_AT: pauseAt } });
    running.push(service);
    return { service, api: await signedIn(service.address) };
  };
  try {
    const makeBase = async (api: ApiClient): Promise<string> => {
      const { uuid } = await api.data('POST', '/knowledge/bases', {
        name: 'Base',
        knowledge_engine_plugin_id: 'tests/pausing',
        creation_settings: { embedding_model_uuid: isWithVectors ? 'fake' : '', chunk_size: 400, chunk_overlap: 40 },
      });
      await attach(api, uuid, 'stays');
      return uuid;
    };
    let base: string | null = null;
    for (const step of steps) {
      const { service, api } = await start(step);
      base ??= await makeBase(api);
      await ready(api, base);
      expect(await found(api, base), `before ${step}`).toContain('stays');
      if (step === 'parsing') writeFileSync(flagOf(place), '');
      await begin(api, base, step, place);
      await reached(service, api, base, step);
      await service.kill('SIGKILL');
      rmSync(flagOf(place), { force: true });
      if (!ofCollections.has(step)) continue;
      // After a retry it would block at the next step before the test waits for that.
      const again = await start();
      await ready(again.api, base);
      await again.service.stop();
    }
    const uuid = base ?? '';
    const last = await start();
    await ready(last.api, uuid);
    const { files } = await last.api.data('GET', `/knowledge/bases/${uuid}/files`);
    const names = files.map(({ file_name }: { file_name: string }) => file_name.replace('.crash', ''));
    for (const step of steps) {
      if (step === 'removing' || step === 'removed' || ofCollections.has(step)) continue;
      expect(names).toContain(step);
      expect(await found(last.api, uuid, step)).toContain(step);
    }
    await last.service.stop();
    await expectNothingLeftOver(place, names.length);
    const deleting = await start();
    await deleting.api.data('DELETE', `/knowledge/bases/${uuid}`);
    await deleting.service.kill('SIGKILL');
    const end = await start();
    await expect.poll(() => blobsOf(place), patience).toEqual([]);
    await end.service.stop();
    await expectNothingLeftOver(place, 0);
  } finally {
    for (const service of running) await service.kill('SIGKILL');
  }
}

async function attach(api: ApiClient, base: string, name: string, more = ''): Promise<string> {
  const text = `${more}What is said of ${name}.\n${`Nobody knows why ${name} is so long. `.repeat(40)}`;
  const { body } = await api.upload(`${name}.crash`, text);
  const { files } = await api.data('POST', `/knowledge/bases/${base}/files`, { file_id: body.data.file_id });
  return files[0].uuid;
}

async function begin(api: ApiClient, base: string, step: Step, place: StoragePlace): Promise<void> {
  const path = `/knowledge/bases/${base}`;
  switch (step) {
    case 'removing':
    case 'removed': {
      const uuid = await attach(api, base, step);
      await ready(api, base);
      // It is killed before it answers.
      void api.call('DELETE', `${path}/files/${uuid}`).catch(() => undefined);
      return;
    }
    case 'rebuilding':
      await api.data('PUT', path, { creation_settings: { ...(await settings(api, path)), chunk_size: 300 } });
      return;
    case 'switching':
    case 'dropped': {
      const before = await settings(api, path);
      await api.data('PUT', path, { creation_settings: { ...before, chunk_size: before.chunk_size + 100 } });
      return;
    }
    case 'parsing':
      await attach(api, base, step, `pause while there is ${flagOf(place)}\n`);
      return;
    default:
      await attach(api, base, step);
  }
}

/** Keeps the parser of the test from coming to an end while it is there. */
function flagOf({ dataDir }: StoragePlace): string {
  return join(dataDir, 'pause-parsing');
}

async function settings(api: ApiClient, path: string) {
  return (await api.data('GET', path)).base.creation_settings;
}

async function reached(service: ServiceProcess, api: ApiClient, base: string, step: Step): Promise<void> {
  if (step === 'queued') return;
  if (step !== 'parsing') {
    await expect.poll(() => service.output().stdout, patience).toContain(`paused at ${step}`);
    return;
  }
  const parsing = async () => {
    const { files } = await api.data('GET', `/knowledge/bases/${base}/files`);
    return files.find(({ file_name }: { file_name: string }) => file_name === 'parsing.crash')?.progress.done;
  };
  await expect.poll(parsing, patience).toBe(1);
}

/** Waits until every document is ready and one collection is there. */
async function ready(api: ApiClient, base: string): Promise<void> {
  const unready = async () => {
    const { files } = await api.data('GET', `/knowledge/bases/${base}/files`);
    const stages = files.map(({ stage }: { stage: string }) => stage).filter((stage: string) => stage !== 'ready');
    const { collections } = await api.data('GET', `/knowledge/bases/${base}/collections`);
    return [...stages, ...collections.map(({ state }: { state: string }) => state)];
  };
  await expect.poll(unready, patience).toEqual(['active']);
}

async function found(api: ApiClient, base: string, name = 'stays'): Promise<string> {
  const query = `What is said of ${name}?`;
  const { results } = await api.data('POST', `/knowledge/bases/${base}/retrieve`, { query });
  return JSON.stringify(results);
}

function blobsOf({ dataDir }: StoragePlace): string[] {
  const entries = readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'installation').map(({ name }) => name);
}

async function expectNothingLeftOver(place: StoragePlace, documents: number): Promise<void> {
  const storage = await openStorage(place);
  const chunks = await openChunkStore(storage, { dataDir: place.dataDir, logger: silentLogger });
  try {
    const files = await storage.database.selectFrom('files').select(['uuid', 'purpose']).execute();
    expect(files.map(({ purpose }) => purpose)).toEqual(Array(documents).fill('document'));
    expect(blobsOf(place).sort()).toEqual(files.map(({ uuid }) => uuid).sort());
    const collections = new KyselyCollectionStore(storage.database, storage.engine, storage.replica);
    expect(await collections.dropping()).toEqual([]);
    const contents = await collections.contents();
    expect(contents).toHaveLength(documents === 0 ? 0 : 1);
    const known = contents.map(({ collection_id, documents: stored }) => {
      expect(stored).toHaveLength(documents);
      return [collection_id, { stored: new Set(stored.map(({ uuid }) => uuid)), claimed: new Set<string>() }] as const;
    });
    for (const { collection_id, documents: stored } of contents) {
      const remaining = await chunks.documents(collection_id);
      expect(Object.fromEntries(remaining)).toEqual(
        Object.fromEntries(stored.map(({ uuid, chunk_count }) => [uuid, chunk_count])),
      );
    }
    // Whatever belongs to nothing would be removed now.
    expect(await chunks.sweep(async () => new Map(known))).toBe(0);
  } finally {
    await chunks.close();
    await storage.close();
  }
}
