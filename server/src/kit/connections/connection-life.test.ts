import { expect, it, vi } from 'vitest';
import { ConnectionLife, MadeConnectionLife } from './connection-life.ts';

const created = (start: () => Promise<void> = async () => undefined) => {
  const connections: { start: () => Promise<void>; stop: () => Promise<void> }[] = [];
  const life = new ConnectionLife(() => {
    const connection = { start: vi.fn(start), stop: vi.fn(async () => undefined) };
    connections.push(connection);
    return connection;
  });
  return { life, connections };
};

it('starts and stops one connection, however often it is asked to', async () => {
  const { life, connections } = created();
  expect(() => life.up).toThrow(expect.objectContaining({ reason: 'bot_not_running' }));
  await Promise.all([life.start(), life.start()]);
  expect([life.up, life.present]).toEqual([connections[0], connections[0]]);
  await Promise.all([life.stop(), life.stop()]);
  expect(life.present).toBeNull();
  expect(() => life.up).toThrow();
  expect(connections).toHaveLength(1);
  expect(connections[0]?.start).toHaveBeenCalledTimes(1);
  expect(connections[0]?.stop).toHaveBeenCalledTimes(1);
});

it('is not up while it starts', async () => {
  const begun = Promise.withResolvers<void>();
  const { life } = created(() => begun.promise);
  const starting = life.start();
  expect(life.present).not.toBeNull();
  expect(() => life.up).toThrow();
  begun.resolve();
  await starting;
  expect(life.up).toBe(life.present);
});

it('stops a connection that fails to start, and makes another one', async () => {
  let isBroken = true;
  const { life, connections } = created(() => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve()));
  await expect(life.start()).rejects.toThrow('no');
  expect(connections[0]?.stop).toHaveBeenCalledTimes(1);
  expect(life.present).toBeNull();
  isBroken = false;
  await life.start();
  expect(life.up).toBe(connections[1]);
});

it('stays down when it is stopped during its start', async () => {
  const begun = Promise.withResolvers<void>();
  const { life } = created(() => begun.promise);
  const starting = life.start();
  const stopping = life.stop();
  begun.resolve();
  await Promise.all([starting, stopping]);
  expect(life.present).toBeNull();
  expect(() => life.up).toThrow();
});

it('makes a connection, and ends one that is made too late', async () => {
  const begun = Promise.withResolvers<void>();
  const stop = vi.fn(async () => undefined);
  const made = { stop };
  const life = new MadeConnectionLife(async () => {
    await begun.promise;
    return made;
  });
  const starting = life.start().catch((error: unknown) => error);
  expect(() => life.up).toThrow();
  const stopping = life.stop();
  begun.resolve();
  await stopping;
  expect(await starting).toMatchObject({ reason: 'bot_not_running' });
  expect(stop).toHaveBeenCalledTimes(1);
  await life.start();
  expect(life.up).toBe(made);
  await life.stop();
  expect(stop).toHaveBeenCalledTimes(2);
});
