import { createReadStream } from 'node:fs';
import { userInfo } from 'node:os';
import { type ErrorDetail, invalidFields, ParleyError } from '@parley/sdk';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { Config } from './config/index.ts';
import { type AccountRecord, NewPassword, UserName } from './core/accounts/account.ts';
import { AccountAdministration, type AdministeredAccount } from './core/accounts/account-administration.ts';
import { AccountDirectory } from './core/accounts/account-directory.ts';
import type { KeyHeir } from './core/accounts/account-store.ts';
import { type ApiKey, CreateApiKey } from './core/accounts/api-key.ts';
import { ApiKeyService } from './core/accounts/api-key-service.ts';
import { CredentialChanges } from './core/accounts/credential-changes.ts';
import { Role } from './core/accounts/role.ts';
import { AuditLog } from './core/audit/audit-log.ts';
import { AuditedRecords } from './core/audit/audited-records.ts';
import { type InspectedPackage, inspectPackage } from './core/plugins/package/inspect-package.ts';
import type { InstallChoice, InstallOutcome } from './core/plugins/plugin-installer.ts';
import type { PluginView } from './core/plugins/plugin-view.ts';
import { isListening } from './peers/is-listening.ts';
import { openPackage } from './plugin-host/package/open-package.ts';
import { readPackageFile } from './plugin-host/package/read-package-file.ts';
import { KyselyAccountStore } from './storage/accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from './storage/accounts/kysely-api-key-store.ts';
import { KyselySecondFactorStore } from './storage/accounts/kysely-second-factor-store.ts';
import { SetUpFiles } from './storage/accounts/set-up-files.ts';
import { KyselyAuditStore } from './storage/audit/kysely-audit-store.ts';
import { InUseError } from './storage/in-use-error.ts';
import { type ListedReplica, listReplicas as readReplicas } from './storage/replicas/replica-list.ts';
import { missingInStorage, openSharedStorage, upgradeStorage } from './storage/shared-storage.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import type { TableUpgrade } from './storage/table-upgrade.ts';

export type { AccountRecord, AdministeredAccount, ApiKey, InspectedPackage };
export { InUseError };

/** Actions of the operator on the host, with or without a running server. */
export interface Administration {
  createAccount(user: string, password: string, role?: string): Promise<AdministeredAccount>;
  /** Sets what an account may do. @returns the account as it is now */
  setRole(user: string, role: string): Promise<AccountRecord>;
  /** Ends all sessions of the account. */
  resetPassword(user: string, password: string): Promise<AdministeredAccount>;
  /** Lets an account sign in with its password alone, for who lost the authenticator app. */
  disableSecondFactor(user: string): Promise<AccountRecord>;
  listAccounts(): Promise<AccountRecord[]>;
  /**
   * Also ends its sessions.
   * @param keys what happens to its API keys
   */
  deleteAccount(user: string, keys: 'revoke' | 'installation' | { account: string }): Promise<AccountRecord>;
  /** Of the installation. @returns the record with the full key in `key` */
  createApiKey(request: Record<string, unknown>): Promise<ApiKey>;
  listApiKeys(): Promise<ApiKey[]>;
  revokeApiKey(id: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Builds the part of the service that the command line needs; like `service.ts`, it knows concrete classes. Input is
 * checked by the same schemas as API requests, and changes are written to the audit log.
 * @param warn called when something fails after the change was made
 * @throws Error with a message for the operator when the storage cannot be opened
 */
export async function openAdministration(config: Config, warn: (line: string) => void): Promise<Administration> {
  const storage = await openSharedStorage(config);
  const accountStore = new KyselyAccountStore(storage.database);
  const accounts = new AccountAdministration(accountStore);
  const changes = new CredentialChanges();
  const directory = new AccountDirectory(accountStore, changes);
  const apiKeys = new ApiKeyService(new KyselyApiKeyStore(storage.database, storage.engine), changes);
  const record = recorder(storage, config, warn);
  return {
    createAccount: async (user, password, role = 'admin') => {
      check(UserName, user, 'name');
      check(NewPassword, password, 'password');
      const account = await accounts.create(user, password, check(Role, role, 'role'));
      new SetUpFiles(config.dataDir).remove();
      await record('account', 'create', account.uuid, null, null);
      return account;
    },
    setRole: async (user, role) => {
      const before = await directory.byName(user);
      await directory.setRole(before.uuid, check(Role, role, 'role'));
      const account = await directory.get(before.uuid);
      await record('account', 'update', account.uuid, before, account);
      return account;
    },
    resetPassword: async (user, password) => {
      check(NewPassword, password, 'password');
      const account = await accounts.resetPassword(user, password);
      await record('account', 'reset-password', account.uuid, null, null);
      return account;
    },
    disableSecondFactor: async (user) => {
      const account = await directory.byName(user);
      if (!(await new KyselySecondFactorStore(storage.database).remove(account.uuid))) {
        throw new ParleyError('conflict', `The account ${account.user} has no second factor`);
      }
      await record('account', 'disable-second-factor', account.uuid, null, null);
      return account;
    },
    listAccounts: () => directory.list(),
    deleteAccount: async (user, keys) => {
      const account = await directory.byName(user);
      await directory.remove(account.uuid, await heirOf(keys, directory));
      await record('account', 'delete', account.uuid, account, null);
      return account;
    },
    createApiKey: async (request) => {
      const key = await apiKeys.create(check(CreateApiKey, request), null);
      await record('api-key', 'create', String(key.id), null, key);
      return key;
    },
    listApiKeys: () => apiKeys.list(),
    revokeApiKey: async (id) => {
      const key = await apiKeys.get(id);
      await apiKeys.revoke(id);
      await record('api-key', 'revoke', String(id), key, null);
    },
    close: () => storage.close(),
  };
}

async function heirOf(
  keys: 'revoke' | 'installation' | { account: string },
  directory: AccountDirectory,
): Promise<KeyHeir | null> {
  if (keys === 'revoke') return null;
  return { account_uuid: keys === 'installation' ? null : (await directory.byName(keys.account)).uuid };
}

/** Writes an audit entry. A failure here must not hide that the action succeeded. */
function recorder({ database }: Storage, config: Config, warn: (line: string) => void) {
  const log = new AuditLog(new KyselyAuditStore(database), { retentionDays: config.auditRetentionDays });
  const records = new AuditedRecords({});
  return async (kind: string, verb: string, id: string, before: object | null, after: object | null): Promise<void> => {
    const entry = {
      actor_kind: 'command-line' as const,
      actor_id: '',
      actor_name: operator(),
      credential: '',
      address: '',
      request_id: '',
      action: `${kind}.${verb}`,
      record_kind: kind,
      record_id: id,
      ...records.describe(kind, before, after),
    };
    await log.record(entry).catch((error: Error) => warn(`the audit log is incomplete: ${error.message}`));
  };
}

/** The user name of the caller, from the operating system. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, there may be a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Plugins of an installation whose server is stopped. */
export interface PluginAdministration {
  /**
   * Installs or updates a plugin. Its start is not tried: the server starts it when it is first used.
   * @throws ParleyError as an installation by a server does
   */
  install(path: string, choice: InstallChoice): Promise<InstallOutcome>;
  /** In the order in which their listeners are called. */
  list(): PluginView[];
  /** @throws ParleyError `not_found` or `in_use` */
  remove(id: string, withData: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the plugins of an installation, which no server may be using.
 * @param warn called when something fails after the change was made
 * @throws Error with a message for the operator when the storage cannot be opened, {@link InUseError} while a server runs
 */
export async function openPluginAdministration(
  config: Config,
  warn: (line: string) => void,
): Promise<PluginAdministration> {
  // Other commands need none of it.
  const parts = await import('./assembly/stopped-plugins.ts');
  const storage = await openStorage(config, { patienceMs: 0, isAlone: true });
  try {
    const record = recorder(storage, config, warn);
    const { plugins, installer, packages } = await parts.openStoppedPlugins(storage, config, (_, text) => warn(text));
    return {
      install: async (path, choice) => {
        installer.requireChoice(choice);
        const received = await packages.receive(createReadStream(path));
        try {
          const inspected = await received.inspect();
          const origin = { source: 'local', install_info: {}, by: operator() } as const;
          const outcome = await installer.install(received, inspected, { choice, origin }, parts.silentTask);
          await record('plugin', 'install', outcome.id, null, outcome);
          return outcome;
        } finally {
          await received.discard();
        }
      },
      list: () => plugins.list().map(({ plugin: { id } }) => plugins.view(id)),
      remove: async (id, withData) => {
        await plugins.uninstall(id, withData);
        await record('plugin', 'remove', id, null, null);
      },
      close: () => storage.close(),
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Brings the tables up to date.
 * @returns the names of the migrations that were applied
 * @throws Error with a message for the operator, for one when a server is running
 */
export function migrateTables(config: Config): Promise<TableUpgrade> {
  return upgradeStorage(config);
}

/** The names of the migrations that {@link migrateTables} would apply. Read-only. */
export function missingMigrations(config: Config): Promise<string[]> {
  return missingInStorage(config);
}

/**
 * The replicas that share the database, those that ended within a day, and whether this machine reaches them. Takes a few
 * seconds, in which beats are watched.
 * @throws Error with a message for the operator when the storage cannot be opened
 */
export async function listReplicas(config: Config): Promise<(ListedReplica & { is_reachable: boolean | null })[]> {
  const storage = await openSharedStorage(config);
  const replicas = await readReplicas(storage).finally(() => storage.close());
  return await Promise.all(
    replicas.map(async (one) => {
      const isCallable = one.state !== 'ended' && one.address !== null;
      return { ...one, is_reachable: isCallable ? await isListening(one.address ?? '') : null };
    }),
  );
}

/** The link that makes the first account; null when there is an account, or no service runs on the data folder. */
export function readSetUpLink(config: Config): string | null {
  return new SetUpFiles(config.dataDir).link();
}

/** @param root the name of the value itself in errors */
function check<Value>(schema: TSchema & { static?: Value }, value: unknown, root = ''): Value {
  if (Check(schema, value)) return value as Value;
  const details: ErrorDetail[] = Errors(schema, value)
    .filter(({ keyword, params }) => keyword !== 'anyOf' && !('type' in params && params.type === 'null'))
    .map(({ instancePath, message, keyword, params }) => ({
      path: instancePath === '' ? root : instancePath.slice(1).replaceAll('/', '.'),
      message: keyword === 'enum' ? `must be one of ${(params.allowedValues as string[]).join(', ')}` : message,
    }));
  throw invalidFields(details, root);
}

/**
 * Checks and describes the package of a plugin. It needs no installation and runs nothing of the package.
 * @throws ParleyError `not_found`, `plugin_invalid` or `plugin_incompatible`
 */
export async function inspectPlugin(path: string): Promise<InspectedPackage> {
  return await inspectPackage(await readPackageFile(path), openPackage);
}
