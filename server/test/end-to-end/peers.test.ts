import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');

describe.each([
  ['with an address for one another', '127.0.0.1:0', 1000],
  ['that cannot reach one another', null, 3000],
])('two replicas %s', (_, replicaAddress, longest) => {
  let place: StoragePlace;
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    place = await makeMigratedPlace('postgres');
    const options = {
      databaseUrl: place.databaseUrl as string,
      config: { replicaAddress, secretKey },
    };
    one = await startTestService(options);
    two = await startTestService({ ...options, account: false });
    // Each has read the other one's address, and greeted it.
    if (replicaAddress !== null) await Promise.all([told(one, two), told(two, one)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([one?.stop(), two?.stop()]);
    await place?.remove();
  });

  it('a task is cancelled by the replica that does not run it', async () => {
    const task = await endless(one);
    const cancelled = await cancel(two, task.id);
    expect(cancelled.status).toBe(200);
    const begun = performance.now();
    await task.ended;
    expect(performance.now() - begun).toBeLessThan(longest);
    await expect.poll(async () => (await one.service.tasks.get(task.id)).runtime.state).toBe('CANCELLED');
    expect((await cancel(two, task.id)).body).toMatchObject({ problem: { code: 'task_ended' } });
  });

  it('a task that cannot be cancelled is refused by both', async () => {
    const task = await endless(one, 'connection_task');
    for (const service of [one, two]) {
      expect((await cancel(service, task.id)).body).toMatchObject({ problem: { code: 'connection_task' } });
    }
  });

  const cancel = (service: TestService, id: number) =>
    service.request({ method: 'POST', url: `/api/v1/system/tasks/${id}/cancel`, bearer: one.account.token });
});

it('a replica without an address listens on no other port', async () => {
  const service = await startTestService();
  const servers = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap');
  await service.stop();
  expect(servers).toHaveLength(1);
});

/** A task that ends when it is asked to. */
async function endless({ service }: TestService, cancel_refusal?: 'connection_task') {
  const ended = Promise.withResolvers<void>();
  const request = { task_type: 'user' as const, kind: 'test', name: 'endless' };
  const task = await service.tasks.start(
    { ...request, ...(cancel_refusal && { cancel_refusal }) },
    async ({ signal }) => {
      while (!signal.aborted) await wait(10);
      ended.resolve();
      signal.throwIfAborted();
    },
  );
  return { id: task.id, ended: ended.promise };
}

/** Waits until what changes at one replica is told to watchers of another one. */
async function told(from: TestService, to: TestService): Promise<void> {
  const events = await fetch(`${to.address}/api/v1/events?types=task`, {
    headers: { authorization: `Bearer ${from.account.token || to.account.token}` },
  });
  expect(events.status).toBe(200);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const name = `told ${Math.random()}`;
  const telling = new AbortController();
  const tell = async () => {
    while (!telling.signal.aborted) {
      await from.service.tasks.start({ task_type: 'system', kind: 'test', name }, async () => null);
      await wait(100);
    }
  };
  const all = tell();
  while (!text.includes(name)) text += (await reader?.read())?.value ?? '';
  telling.abort();
  await all;
  await reader?.cancel();
}
