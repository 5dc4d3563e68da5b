import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { storedVersions } from '../records/stored-versions.ts';

const stamps = () => ({ created_at: now(), updated_at: now() });

describeOnEachEngine('the version of extensions', (storage) => {
  /** How much something raises the versions of extensions and of access; it raises no other. */
  const raisedBy = async (work: () => Promise<unknown>) => {
    const read = storedVersions(storage().database);
    const before = await read();
    await work();
    const after = await read();
    expect(after.records).toBe(before.records);
    return { extensions: after.extensions - before.extensions, access: after.access - before.access };
  };
  const once = { extensions: 1, access: 0 };
  const never = { extensions: 0, access: 0 };

  it('is raised by every change of a webhook but a pause that its receiver requested', async () => {
    const { database } = storage();
    const row = { name: 'hook', url: 'https://example.com', description: '', enabled: 1, ...stamps() };
    expect(await raisedBy(() => database.insertInto('webhooks').values(row).execute())).toEqual(once);
    expect(await raisedBy(() => database.updateTable('webhooks').set({ enabled: 0 }).execute())).toEqual(once);
    expect(await raisedBy(() => database.updateTable('webhooks').set({ paused_until: 1 }).execute())).toEqual(never);
    expect(await raisedBy(() => database.deleteFrom('webhooks').execute())).toEqual(once);
  });

  it('is raised by every change of an MCP server but the tools that it listed', async () => {
    const { database } = storage();
    const row = { uuid: newUuid(), name: 'one', name_key: 'one', enable: 1, mode: 'http' as const, extra_args: '{}' };
    const server = { ...row, sealed_secrets: null, known_tools: '[]', confirmed_tools: '{}', ...stamps() };
    expect(await raisedBy(() => database.insertInto('mcp_servers').values(server).execute())).toEqual(once);
    const change = (change: object) => () => database.updateTable('mcp_servers').set(change).execute();
    expect(await raisedBy(change({ confirmed_tools: '{"a":"b"}' }))).toEqual(once);
    expect(await raisedBy(change({ known_tools: '[{}]' }))).toEqual(never);
    expect(await raisedBy(() => database.deleteFrom('mcp_servers').execute())).toEqual(once);
  });

  it('is raised by every change of a plugin', async () => {
    const { database } = storage();
    const plugin = {
      id: 'example/units',
      installed: null,
      waiting: null,
      previous: null,
      signer: null,
      enabled: 0,
      position: 1,
      settings: '{}',
      sealed_secrets: null,
      admin_addresses: null,
      grants: '{}',
      on_failure: 'pass' as const,
      ...stamps(),
    };
    expect(await raisedBy(() => database.insertInto('plugins').values(plugin).execute())).toEqual(once);
    expect(await raisedBy(() => database.updateTable('plugins').set({ grants: '{"a":1}' }).execute())).toEqual(once);
    expect(await raisedBy(() => database.deleteFrom('plugins').execute())).toEqual(once);
  });

  it('leaves the version of access to sessions that are ended before they expire', async () => {
    const { database } = storage();
    const uuid = newUuid();
    const account = { uuid, user: uuid, role: 'member' as const, password_hash: '', recovery_hash: '', version: 1 };
    await database
      .insertInto('accounts')
      .values({ ...account, ...stamps() })
      .execute();
    const session = (seconds: number) => ({
      uuid: newUuid(),
      account_uuid: uuid,
      address: '',
      user_agent: '',
      created_at: now(),
      last_used_at: now(),
      expires_at: secondsFromNow(seconds),
    });
    const sessions = [session(60), session(-60)];
    expect(await raisedBy(() => database.insertInto('sessions').values(sessions).execute())).toEqual(never);
    const end = (index: number) => () =>
      database
        .deleteFrom('sessions')
        .where('uuid', '=', sessions[index]?.uuid ?? '')
        .execute();
    expect(await raisedBy(end(1))).toEqual(never);
    expect(await raisedBy(end(0))).toEqual({ extensions: 0, access: 1 });
  });
});
