import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KyselyAuditStore } from '../../src/storage/audit/kysely-audit-store.ts';
import { openSharedStorage } from '../../src/storage/shared-storage.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { type ParleyOptions, parleyBin, parleyJson, runParley } from '../factories/run-parley.ts';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { runCommand } from '../factories/test-terminal.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesTried, looksClosely } from '../shared/looks-closely.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { makeMigratedPlace, makeStoragePlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { apiClient } from './api-client.ts';

beforeAll(() => sharedResource('commandLine'), 120_000);

/** Commands on the data of a place. */
const commandsAt = (place: () => StoragePlace) => ({
  /** As a process of its own. */
  parley: (args: string[], options: ParleyOptions = {}) => runParley(args, { place: place(), ...options }),
  /** In this process, which takes a tenth of the time. @returns what it says in JSON */
  json: async (args: string[]) => {
    const { dataDir, databaseUrl } = place();
    const environment = { PARLEY_DATA_DIR: dataDir, ...(databaseUrl && { PARLEY_DATABASE_URL: databaseUrl }) };
    const { code, stdout, stderr } = await runCommand([...args, '--json'], { environment });
    if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return JSON.parse(stdout);
  },
});
const signIn = (address: string, user: string, password: string) =>
  apiClient(address, '').call('POST', '/user/auth', { user, password });
const pipelines = async (address: string, token: string) =>
  (await apiClient(address, token).call('GET', '/pipelines')).status;

describe.each(enginesTried)('the command line on %s', { timeout: 60_000 }, (engine) => {
  let place: StoragePlace;
  let service: ServiceProcess;
  let address: string;
  beforeAll(async () => {
    place = await makeMigratedPlace(engine);
    service = await startServiceProcess(place);
    address = service.address;
  });
  afterAll(async () => {
    await service?.stop();
    await place?.remove();
  });
  afterEach(async () => {
    const storage = await openSharedStorage(place);
    for (const table of ['api_keys', 'sessions', 'attempts', 'accounts'] as const) {
      await storage.database.deleteFrom(table).execute();
    }
    await storage.close();
  });
  const { parley, json } = commandsAt(() => place);

  it('changes accounts beside a running server, which notices at once', async () => {
    const first = await json(['user', 'create', 'ada', '--generate-password']);
    const second = await json(['user', 'create', 'bob', '--generate-password']);
    const signedIn = await signIn(address, 'ada', first.password);
    const other = await signIn(address, 'bob', second.password);
    const { token } = signedIn.body.data;
    expect(await pipelines(address, token)).toBe(200);
    expect(await parley(['user', 'create', 'ada', '--generate-password'])).toMatchObject({ code: 1, stdout: '' });

    const { password, user } = await json(['user', 'reset-password', 'ada', '--generate-password']);
    expect(user.uuid).toBe(first.user.uuid);
    expect(await pipelines(address, token)).toBe(401);
    expect(await pipelines(address, other.body.data.token)).toBe(200);
    expect((await signIn(address, 'ada', first.password)).body.reason).toBe('invalid_credentials');
    expect((await signIn(address, 'ada', password)).status).toBe(200);
    const recover = (recovery_key: string) =>
      apiClient(address, '').call('POST', '/user/reset-password', {
        user: 'ada',
        recovery_key,
        new_password: 'one more password',
      });
    expect((await recover(first.user.recovery_key)).body.reason).toBe('invalid_credentials');
    expect((await recover(user.recovery_key)).status).toBe(200);
  });

  it('makes and revokes API keys beside a running server, which notices at once', async () => {
    const made = await parley(['api-key', 'create', 'script']);
    const key = made.stdout.trim();
    expect(await pipelines(address, key)).toBe(200);
    const { keys } = await json(['api-key', 'list']);
    expect(keys).toMatchObject([{ id: expect.any(Number), name: 'script', last_used_at: expect.any(String) }]);
    expect(await parley(['api-key', 'revoke', String(keys[0].id)])).toMatchObject({ code: 0 });
    expect(await pipelines(address, key)).toBe(401);
  });

  it.runIf(looksClosely)('lists and deletes accounts beside a running server, which notices at once', async () => {
    await json(['user', 'create', 'ada', '--generate-password']);
    const tokens: Record<string, string> = {};
    const keys: Record<string, string> = {};
    for (const name of ['bob', 'eve', 'dan']) {
      const { password } = await json(['user', 'create', name, '--generate-password']);
      tokens[name] = (await signIn(address, name, password)).body.data.token;
      keys[name] = (await apiClient(address, tokens[name] ?? '').data('POST', '/apikeys', { name })).key.key;
    }
    const { users } = await json(['user', 'list']);
    expect(users).toMatchObject([
      { user: 'ada', last_signed_in_at: null, api_key_count: 0 },
      ...['bob', 'dan', 'eve'].map((user) => ({ user, last_signed_in_at: expect.any(String), api_key_count: 1 })),
    ]);
    expect((await parley(['user', 'delete', 'bob', '--keys-to', 'carol'])).stderr).toContain(
      'There is no account carol',
    );
    expect(await pipelines(address, keys.bob ?? '')).toBe(200);

    expect(await parley(['user', 'delete', 'bob'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The account bob is deleted. Its API keys (1) are revoked.\n',
    });
    expect(await json(['user', 'delete', 'eve', '--keys-to', 'ada'])).toEqual({ deleted: 'eve' });
    await json(['user', 'delete', 'dan', '--keep-keys']);
    const statuses = async (credentials: Record<string, string>) =>
      await Promise.all(['bob', 'eve', 'dan'].map((name) => pipelines(address, credentials[name] ?? '')));
    expect(await statuses(tokens)).toEqual([401, 401, 401]);
    expect(await statuses(keys)).toEqual([401, 200, 200]);
    const { keys: left } = await json(['api-key', 'list']);
    expect(left).toMatchObject([
      { name: 'eve', account_name: 'ada' },
      { name: 'dan', account_uuid: null, account_name: null },
    ]);
    expect(await parley(['user', 'delete', 'ada'])).toMatchObject({ code: 1, stdout: '' });
    expect((await json(['user', 'list'])).users).toHaveLength(1);
    expect(await parley(['user', 'delete', 'ada', '--keep-keys', '--keys-to', 'ada'])).toMatchObject({ code: 2 });
  });

  it.runIf(looksClosely)('sets roles beside a running server, which notices at once', async () => {
    await json(['user', 'create', 'ada', '--generate-password']);
    const { user, password } = await json(['user', 'create', 'mel', '--role', 'member', '--generate-password']);
    expect(user.role).toBe('member');
    const { token } = (await signIn(address, 'mel', password)).body.data;
    const keys = async () => (await apiClient(address, token).call('GET', '/apikeys')).status;
    expect([await pipelines(address, token), await keys()]).toEqual([200, 403]);
    expect(await json(['user', 'set-role', 'mel', 'admin'])).toMatchObject({ user: { user: 'mel', role: 'admin' } });
    expect(await keys()).toBe(200);
    expect(await parley(['user', 'set-role', 'ada', 'member'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The account ada is a member now.\n',
    });
    expect((await parley(['user', 'set-role', 'mel', 'member'])).stderr).toContain('make another admin first');
    expect((await parley(['user', 'delete', 'mel'])).code).toBe(1);
    expect((await json(['user', 'list'])).users).toMatchObject([{ role: 'member' }, { role: 'admin' }]);
  });

  it.runIf(looksClosely)('disables the second factor of who lost it', async () => {
    const { password } = await json(['user', 'create', 'ada', '--generate-password']);
    const client = apiClient(address, (await signIn(address, 'ada', password)).body.data.token);
    expect((await parley(['user', 'disable-totp', 'ada'])).stderr).toContain('has no second factor');
    const { secret } = await client.data('POST', '/user/second-factor', { password });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await client.data('POST', '/user/second-factor/enable', { code });
    expect((await signIn(address, 'ada', password)).body.reason).toBe('second_factor_required');
    expect(await parley(['user', 'disable-totp', 'ada'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The account ada signs in with its password alone.\n',
    });
    expect((await signIn(address, 'ada', password)).status).toBe(200);
    expect((await parley(['user', 'disable-totp', 'bob'])).stderr).toContain('There is no account bob');
  });
});

describe.each(enginesTried)('the command line on %s', { timeout: 60_000 }, (engine) => {
  let place: StoragePlace;
  const running: ServiceProcess[] = [];
  beforeEach(async () => {
    place = await makeStoragePlace(engine);
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
    await place.remove();
  });

  const startService = async () => {
    const service = await startServiceProcess(place);
    running.push(service);
    return service;
  };
  const { parley, json } = commandsAt(() => place);

  it('makes an installation that the service takes up', async () => {
    const password = 'a password for the first';
    const made = await parleyJson(['user', 'create', 'ada', '--password-stdin'], { place, input: `${password}\n` });
    const { key } = await parleyJson(['api-key', 'create', 'script', '--scope', 'read'], { place });
    const { address } = await startService();
    expect((await apiClient(address, '').data('GET', '/user/init')).initialized).toBe(true);
    expect((await signIn(address, 'ada', password)).status).toBe(200);
    expect(await pipelines(address, key.key)).toBe(200);
    const refused = await apiClient(address, key.key).call('POST', '/pipelines', { name: 'more' });
    expect(refused.body).toMatchObject({ reason: 'scope_required' });
    const reset = await apiClient(address, '').call('POST', '/user/reset-password', {
      user: 'ada',
      recovery_key: made.user.recovery_key,
      new_password: 'another password for the first',
    });
    expect(reset.status).toBe(200);
  });

  it('leaves in the audit log who did what, without secrets', async () => {
    const { user, password } = await json(['user', 'create', 'ada', '--generate-password']);
    const reset = await json(['user', 'reset-password', 'ada', '--generate-password']);
    const { key } = await json(['api-key', 'create', 'script']);
    await json(['api-key', 'revoke', String(key.id)]);
    const other = await json(['user', 'create', 'bob', '--generate-password']);
    await json(['user', 'set-role', 'bob', 'member']);
    await json(['user', 'delete', 'bob']);
    const storage = await openSharedStorage(place);
    const entries = await new KyselyAuditStore(storage.database).list({}, 10, null);
    await storage.close();
    const by = { actor_kind: 'command-line', actor_name: expect.stringMatching(/./) };
    expect(entries.reverse()).toMatchObject([
      { ...by, action: 'account.create', record_kind: 'account', record_id: user.uuid },
      { ...by, action: 'account.reset-password', record_kind: 'account', record_id: user.uuid },
      { ...by, action: 'api-key.create', record_kind: 'api-key', record_id: '1', before: null },
      { ...by, action: 'api-key.revoke', record_kind: 'api-key', record_id: '1', after: null },
      { ...by, action: 'account.create', record_id: other.user.uuid },
      { ...by, action: 'account.update', record_id: other.user.uuid, changed: ['role'], after: { role: 'member' } },
      { ...by, action: 'account.delete', record_id: other.user.uuid, before: { user: 'bob' }, after: null },
    ]);
    const text = JSON.stringify(entries);
    const secrets = [password, user.recovery_key, reset.password, reset.user.recovery_key, key.key, key.key.slice(-4)];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it.runIf(looksClosely)('may be used while the service starts for the first time', async () => {
    const ends = await Promise.all([
      startService(),
      parleyJson(['user', 'create', 'ada', '--generate-password'], { place }),
      parleyJson(['api-key', 'create', 'script'], { place }),
    ]);
    const [{ address }, { password }, { key }] = ends;
    expect((await signIn(address, 'ada', password)).status).toBe(200);
    expect(await pipelines(address, key.key)).toBe(200);
  });

  it.runIf(looksClosely)(
    'tells what is missing in the tables, and brings them up to date, on SQLite when no server runs',
    async () => {
      const before = await parley(['migrate', '--check']);
      expect(before).toMatchObject({ code: 1, stderr: 'These migrations are missing:\n' });
      const missing = before.stdout.trimEnd().split('\n');
      expect(missing[0]).toBe('0001-foundation');
      expect(readdirSync(place.dataDir)).toEqual([]);
      expect(await parleyJson(['migrate'], { place })).toEqual({ applied: missing, waiting: [] });
      expect(await parleyJson(['migrate'], { place })).toEqual({ applied: [], waiting: [] });
      expect(await parley(['migrate', '--check'])).toEqual({
        code: 0,
        stdout: '',
        stderr: 'The tables are up to date.\n',
      });
      await startService();
      expect((await parley(['migrate', '--check'])).code).toBe(0);
      const inUse = `error: The data directory ${place.dataDir} is in use by another Parley process\n`;
      expect(await parley(['migrate'])).toEqual(
        engine === 'sqlite'
          ? { code: 1, stdout: '', stderr: inUse }
          : { code: 0, stdout: '', stderr: 'The tables are up to date already.\n' },
      );
    },
  );

  it('refuses tables that are newer than itself', async () => {
    await json(['migrate']);
    const storage = await openSharedStorage(place);
    await storage.database
      .insertInto('migrations' as never)
      .values({ name: '9999', checksum: '', applied_at: '' } as never)
      .execute();
    await storage.close();
    for (const args of [
      ['user', 'create', 'ada', '--generate-password'],
      ['api-key', 'list'],
      ['migrate'],
      ['migrate', '--check'],
    ]) {
      const end = await parley([...args, '--json']);
      expect(end.code).toBe(1);
      expect(JSON.parse(end.stdout).error.message).toContain('was made by a newer version of Parley');
    }
  });
});

describe('a message from the command line', () => {
  it.each(enginesTried)('goes through a bot of a running server on %s', async (engine) => {
    const fake = createFakePlatform();
    const database = engine === 'postgres' ? await migratedDatabase() : null;
    const service = await startTestService({
      extensions: { platforms: [fake.platform] },
      bots: [{ adapter: 'fake', uuid: '0198b6c0-0000-7000-8000-000000000001', name: 'Running' }],
      ...(database === null ? {} : { databaseUrl: database.url }),
    });
    const { key } = await service.createApiKey(['send']);
    const args = ['send', '--bot', '0198b6c0-0000-7000-8000-000000000001', '--to', 'group', '--id', '-100123'];
    const options = { environment: { PARLEY_API_KEY: key } };
    const url = ['--url', service.address];
    await expect.poll(() => fake.up().length).toBe(1);
    expect(await runParley([...args, ...url], { ...options, input: 'The build\nis green\n' })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The message is sent.\n',
    });
    const again = [...args, ...url, '--idempotency-key', 'deploy-17', 'Once'];
    for (let call = 0; call < 2; call += 1) expect(await parleyJson(again, options)).toMatchObject({ sent: true });
    expect(fake.sent).toMatchObject([
      {
        target: { session_type: 'group', session_id: '-100123' },
        message_chain: [{ type: 'Plain', text: 'The build\nis green' }],
      },
      { message_chain: [{ type: 'Plain', text: 'Once' }] },
    ]);

    const reading = await service.createApiKey(['read']);
    const refused = await runParley([...args, ...url, '--json', 'Hello'], {
      environment: { PARLEY_API_KEY: reading.key },
    });
    expect(refused).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(refused.stdout).error.reason).toBe('scope_required');
    expect(refused.stdout).not.toContain(reading.key);
    await service.stop();
    await database?.drop();
  });
});

describe('what was built', () => {
  it('says what to run when it is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-unbuilt-'));
    mkdirSync(join(folder, 'bin'));
    const bin = join(folder, 'bin', 'parley.mjs');
    copyFileSync(parleyBin, bin);
    expect(await runParley(['--help'], { bin })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: the command line is not built. In the checkout, run: node scripts/prepare.mjs cli (npm start does it, too)\n',
    });
    rmSync(folder, { recursive: true });
  });

  it('says which Node.js it needs when the one at hand is too old and there is no other', async () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`;
    const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
    expect(await runParley(['--help'], { nodeOptions })).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Parley needs Node.js 26 or newer, and this is ${process.version}\n`,
    });
  });
});
