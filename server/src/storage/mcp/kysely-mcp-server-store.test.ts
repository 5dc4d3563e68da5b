import { expect, it } from 'vitest';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { StoredMcpServer } from '../../core/mcp/mcp-server.ts';
import { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { KyselyMcpServerStore } from './kysely-mcp-server-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const later = '2030-01-01T00:00:00.000Z';

const server = (over: Partial<StoredMcpServer> = {}): StoredMcpServer => ({
  uuid: newUuid(),
  name: 'Büro 履歴書',
  enable: true,
  mode: 'http',
  extra_args: { url: 'https://example.com/mcp', headers: { 'x-key': '…' }, timeout: 10 },
  sealed_secrets: 'sealed',
  known_tools: [
    { name: 'a', description: 'b', parameters: { type: 'object' }, read_only_hint: true, fingerprint: 'f' },
  ],
  confirmed_tools: { a: 'f' },
  created_at: timestamp,
  updated_at: timestamp,
  ...over,
});

describeOnEachEngine('the store of MCP servers', (storage) => {
  const store = () => new KyselyMcpServerStore(storage().database, storage().engine);

  it('returns a server as it was stored', async () => {
    const made = server();
    expect(await store().create(made, -1)).toBeNull();
    expect(await store().byUuid(made.uuid)).toEqual(made);
    expect(await store().byName(made.name)).toEqual(made);
    expect(await store().byName('büro 履歴書')).toEqual(made);
    expect(await store().byUuid(newUuid())).toBeNull();
    expect(await store().byName('büro')).toBeNull();
    const plain = server({ name: 'off', enable: false, mode: 'stdio', sealed_secrets: null, known_tools: [] });
    await store().create(plain, -1);
    expect(await store().list()).toEqual([made, plain]);
  });

  it('keeps names apart, also when two ask at once', async () => {
    const taken = { reason: 'name_taken' };
    const answers = await Promise.all(['One', 'one', 'ONE'].map((name) => store().create(server({ name }), -1)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(answers.filter((answer) => answer !== null)).toEqual([taken, taken]);
    const [one] = await store().list();
    const two = server({ name: 'two' });
    await store().create(two, -1);
    expect(await store().update(two.uuid, (stored) => ({ ...stored, name: 'oNe' }))).toEqual(taken);
    expect(await store().byUuid(two.uuid)).toEqual(two);
    expect(await store().update(one?.uuid ?? '', (stored) => ({ ...stored, name: 'oNe' }))).toBeNull();
    expect(await store().update(newUuid(), (stored) => stored)).toEqual({ reason: 'not_found' });
  });

  it('enforces the limit under concurrent requests', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(names.map((name) => store().create(server({ name }), 2)));
    expect(answers.filter((answer) => answer?.reason === 'limit_reached')).toHaveLength(3);
    expect(await store().list()).toHaveLength(2);
    expect(await store().create(server({ name: 'f' }), 0)).toEqual({ reason: 'limit_reached' });
  });

  it('applies changes, and nothing if the change throws', async () => {
    const made = server();
    await store().create(made, -1);
    const changes = { name: 'n', enable: false, mode: 'sse' as const, sealed_secrets: null, updated_at: later };
    expect(await store().update(made.uuid, (stored) => ({ ...stored, ...changes, uuid: newUuid() }))).toBeNull();
    expect(await store().byUuid(made.uuid)).toEqual({ ...made, ...changes });
    const refusal = new Error('no');
    const refuse = () => {
      throw refusal;
    };
    await expect(store().update(made.uuid, refuse)).rejects.toBe(refusal);
    await store().saveTools(made.uuid, []);
    expect(await store().byUuid(made.uuid)).toEqual({ ...made, ...changes, known_tools: [] });
  });

  it('takes a server that is deleted from the pipelines that name it', async () => {
    const pipelines = new PipelineService(
      new KyselyPipelineStore(storage().database, storage().engine),
      new SecretBox(Buffer.alloc(32)),
      pipelineServiceOptions(),
    );
    const [gone, stays] = [server({ name: 'gone' }), server({ name: 'stays' })];
    for (const one of [gone, stays]) await store().create(one, -1);
    const bound = { enable_all_mcp_servers: false, mcp_servers: [stays.uuid, gone.uuid.toUpperCase(), gone.uuid, 'x'] };
    const first = await pipelines.create({ name: 'a', extensions_preferences: bound }, { author: 'admin' });
    const second = await pipelines.create(
      { name: 'b', extensions_preferences: { mcp_servers: ['x'] } },
      { author: 'admin' },
    );
    const untouched = await pipelines.get(second);
    expect(await store().delete(gone.uuid, later)).toBe(true);
    expect(await store().delete(gone.uuid, later)).toBe(false);
    expect(await pipelines.get(first)).toMatchObject({
      extensions_preferences: { enable_all_mcp_servers: false, mcp_servers: [stays.uuid, 'x'] },
      updated_at: later,
    });
    expect(await pipelines.get(second)).toEqual(untouched);
    expect(await store().list()).toEqual([stays]);
  });
});
