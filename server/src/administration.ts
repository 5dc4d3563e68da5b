import { type ErrorDetail, invalidFields } from '@parley/sdk';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { Config } from './config/index.ts';
import { NewPassword, UserName } from './core/accounts/account.ts';
import { AccountAdministration, type AdministeredAccount } from './core/accounts/account-administration.ts';
import { type ApiKey, CreateApiKey } from './core/accounts/api-key.ts';
import { ApiKeyService } from './core/accounts/api-key-service.ts';
import { KyselyAccountStore } from './storage/accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from './storage/accounts/kysely-api-key-store.ts';
import { missingInStorage, openSharedStorage } from './storage/shared-storage.ts';
import { openStorage } from './storage/storage.ts';

export type { AdministeredAccount, ApiKey };

/** What the operator of the machine may do, beside a running server or without one. */
export interface Administration {
  createAccount(user: string, password: string): Promise<AdministeredAccount>;
  /** Ends all sessions of the account. */
  resetPassword(user: string, password: string): Promise<AdministeredAccount>;
  /** @returns the record with the whole key in `key` */
  createApiKey(request: Record<string, unknown>): Promise<ApiKey>;
  listApiKeys(): Promise<ApiKey[]>;
  revokeApiKey(id: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Builds the small part of the service that the command line needs; like `service.ts`, it knows concrete classes. What
 * goes in is checked by the same schemas as what comes over the network.
 * @throws Error with a message for the operator when the storage cannot be opened
 */
export async function openAdministration(config: Config): Promise<Administration> {
  const storage = await openSharedStorage(config);
  const accounts = new AccountAdministration(new KyselyAccountStore(storage.database));
  const apiKeys = new ApiKeyService(new KyselyApiKeyStore(storage.database));
  return {
    createAccount: async (user, password) => {
      check(UserName, user, 'name');
      check(NewPassword, password, 'password');
      return accounts.create(user, password);
    },
    resetPassword: async (user, password) => {
      check(NewPassword, password, 'password');
      return accounts.resetPassword(user, password);
    },
    createApiKey: async (request) => apiKeys.create(check(CreateApiKey, request)),
    listApiKeys: () => apiKeys.list(),
    revokeApiKey: (id) => apiKeys.revoke(id),
    close: () => storage.close(),
  };
}

/**
 * Brings the tables up to date.
 * @returns the names of the migrations that were applied
 * @throws Error with a message for the operator, for one when a server is running
 */
export async function migrateTables(config: Config): Promise<readonly string[]> {
  const storage = await openStorage(config);
  await storage.close();
  return storage.migrated;
}

/** The names of the migrations that {@link migrateTables} would apply. Changes nothing. */
export function missingMigrations(config: Config): Promise<string[]> {
  return missingInStorage(config);
}

/** @param whole what a value without fields is called */
function check<Value>(schema: TSchema & { static?: Value }, value: unknown, whole = ''): Value {
  if (Check(schema, value)) return value as Value;
  const details: ErrorDetail[] = Errors(schema, value)
    .filter(({ keyword, params }) => keyword !== 'anyOf' && !('type' in params && params.type === 'null'))
    .map(({ instancePath, message, keyword, params }) => ({
      path: instancePath === '' ? whole : instancePath.slice(1).replaceAll('/', '.'),
      message: keyword === 'enum' ? `must be one of ${(params.allowedValues as string[]).join(', ')}` : message,
    }));
  throw invalidFields(details, whole);
}
