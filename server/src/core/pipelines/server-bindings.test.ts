import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { KyselyPipelineStore } from '../../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { PipelineService } from './pipeline-service.ts';

describe('pipelines', () => {
  let storage: Storage;
  let service: PipelineService;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    const store = new KyselyPipelineStore(storage.database, storage.engine);
    service = new PipelineService(store, new SecretBox(Buffer.alloc(32, 1)), pipelineServiceOptions());
  });
  afterEach(() => storage.close());

  it('are given MCP servers by admins only', async () => {
    const refusal = { reason: 'scope_required', message: expect.stringContaining('the scope "admin"') };
    const preferences = (mcp_servers: string[], all = false) => ({
      extensions_preferences: { enable_all_mcp_servers: all, mcp_servers },
    });
    for (const widest of [preferences(['a']), preferences([], true)]) {
      await expect(service.create({ name: 'Support', ...widest })).rejects.toMatchObject(refusal);
    }
    const uuid = await service.create({ name: 'Support', ...preferences(['a', 'b']) }, { author: 'admin' });
    for (const wider of [preferences(['a', 'b', 'c']), preferences(['a', 'b'], true)]) {
      await expect(service.update(uuid, wider)).rejects.toMatchObject(refusal);
    }
    await expect(service.bindExtensions(uuid, { bound_mcp_servers: ['c'] })).rejects.toMatchObject(refusal);
    await expect(service.copy(uuid)).rejects.toMatchObject(refusal);
    // The result of a read can be written back, and fewer servers are always allowed.
    await service.update(uuid, preferences(['B', 'a']));
    await service.update(uuid, { name: 'Renamed' });
    await service.bindExtensions(uuid, { bound_mcp_servers: ['b'] });
    await expect(service.update(uuid, preferences(['a', 'b']))).rejects.toMatchObject(refusal);
    expect((await service.get(await service.copy(uuid, 'admin'))).extensions_preferences.mcp_servers).toEqual(['b']);
    await service.update(uuid, preferences([], true), 'admin');
    await service.update(uuid, preferences(['z'], true));
    await service.update(uuid, preferences(['z']));
  });

  it('have only admins say for whom tools run, and keep that from clients that do not know of it', async () => {
    const refusal = { reason: 'scope_required', message: expect.stringContaining('for whom their tools run') };
    const listed = { allow: 'listed' as const, users: ['person_1'] };
    const everyone = { allow: 'everyone' as const, users: [] };
    const uuid = await service.create(
      {
        name: 'Support',
        extensions_preferences: { mcp_servers: ['a', 'b'], mcp_tool_users: { A: listed, c: everyone } },
      },
      { author: 'admin' },
    );
    const users = async () => (await service.get(uuid)).extensions_preferences.mcp_tool_users;
    expect(await users()).toEqual({ a: listed });
    const read = (await service.get(uuid)).extensions_preferences;
    const change = (mcp_tool_users: typeof read.mcp_tool_users) =>
      service.update(uuid, { extensions_preferences: { ...read, mcp_tool_users } });
    for (const changed of [
      { a: everyone },
      { a: { ...listed, users: ['person_1', 'person_2'] } },
      {},
      { a: listed, b: everyone },
    ]) {
      await expect(change(changed)).rejects.toMatchObject(refusal);
      await expect(
        service.bindExtensions(uuid, { bound_mcp_servers: ['a', 'b'], mcp_tool_users: changed }),
      ).rejects.toMatchObject(refusal);
    }
    // The result of a read can be written back, also the subset that clients of the reference system know.
    await change({ a: listed });
    await change({ a: listed, b: { allow: 'nobody', users: [] }, c: everyone });
    await service.update(uuid, { extensions_preferences: { mcp_servers: ['b', 'A'] } });
    expect(await users()).toEqual({ a: listed, b: { allow: 'nobody', users: [] } });
    await service.bindExtensions(uuid, { bound_mcp_servers: [] });
    expect(await users()).toEqual({});
    await service.bindExtensions(uuid, { bound_mcp_servers: ['a', 'b'] }, 'admin');
    expect(await users()).toEqual({});
    const all = { enable_all_mcp_servers: true, mcp_tool_users: { a: everyone, z: listed } };
    await service.bindExtensions(uuid, all, 'admin');
    await service.bindExtensions(uuid, all);
    expect((await service.extensions(uuid)).record.mcp_tool_users).toEqual({ a: everyone, z: listed });
    await service.bindExtensions(uuid, { bound_mcp_servers: ['z'] }, 'admin');
    expect((await service.get(await service.copy(uuid, 'admin'))).extensions_preferences.mcp_tool_users).toEqual({
      z: listed,
    });
  });
});
