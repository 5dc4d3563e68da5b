import type { Config } from '../config/index.ts';
import { AccountAdministration } from '../core/accounts/account-administration.ts';
import { AccountDirectory } from '../core/accounts/account-directory.ts';
import { AccountService } from '../core/accounts/account-service.ts';
import { ApiKeyService } from '../core/accounts/api-key-service.ts';
import { AttemptLimit } from '../core/accounts/attempt-limit.ts';
import { Authenticator } from '../core/accounts/authenticator.ts';
import { ConnectedCallers } from '../core/accounts/connected-callers.ts';
import { CredentialChanges } from '../core/accounts/credential-changes.ts';
import { FirstAccount } from '../core/accounts/first-account.ts';
import { IdentityProvider } from '../core/accounts/identity-provider.ts';
import { IdentityService } from '../core/accounts/identity-service.ts';
import { SecondFactorService } from '../core/accounts/second-factor-service.ts';
import { SessionService } from '../core/accounts/session-service.ts';
import { UserTokens } from '../core/accounts/user-token.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import type { PasswordCost } from '../lib/password.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { KyselyAccountStore } from '../storage/accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from '../storage/accounts/kysely-api-key-store.ts';
import { KyselyAttemptStore } from '../storage/accounts/kysely-attempt-store.ts';
import { KyselyIdentityStore } from '../storage/accounts/kysely-identity-store.ts';
import { KyselySecondFactorStore } from '../storage/accounts/kysely-second-factor-store.ts';
import { KyselySessionStore } from '../storage/accounts/kysely-session-store.ts';
import { SetUpFiles } from '../storage/accounts/set-up-files.ts';
import { SetUpToken } from '../storage/accounts/set-up-token.ts';
import { UsedStates } from '../storage/accounts/used-states.ts';
import { deriveKey } from '../storage/secret-key.ts';
import type { Storage } from '../storage/storage.ts';

/** Who may do what: accounts, their sessions, API keys, and what recognises them. */
export function createAccess(
  { database, engine }: Storage,
  {
    config,
    secretKey,
    secrets,
    metadata,
    passwordCost,
  }: {
    config: Config;
    metadata: MetadataStore;
    secretKey: Buffer;
    secrets: SecretBox;
    passwordCost: PasswordCost | undefined;
  },
) {
  const accountStore = new KyselyAccountStore(database);
  const tokens = new UserTokens(deriveKey(secretKey, 'user-tokens'));
  const sessionStore = new KyselySessionStore(database, engine);
  const changes = new CredentialChanges();
  const sessions = new SessionService(sessionStore, tokens, changes, config.tokenLifetimeSeconds);
  const attempts = new AttemptLimit(new KyselyAttemptStore(database));
  const secondFactors = new SecondFactorService(new KyselySecondFactorStore(database), attempts, secrets);
  const accounts = new AccountService(accountStore, sessions, attempts, secondFactors, changes, {
    allowModifyLoginInfo: config.allowModifyLoginInfo,
    passwordCost,
  });
  const identities = new IdentityService({
    provider: identityProviderOf(config),
    name: config.oidcName,
    store: new KyselyIdentityStore(database),
    usedStates: new UsedStates(database),
    sessions,
    secrets,
    createsAccounts: config.oidcCreateAccounts,
  });
  const firstAccount = new FirstAccount(
    accounts,
    { files: new SetUpFiles(config.dataDir), shared: new SetUpToken(metadata, secrets, database) },
    config.setupToken,
  );
  const apiKeys = new ApiKeyService(new KyselyApiKeyStore(database, engine), changes);
  const authenticator = new Authenticator(apiKeys, sessions);
  const accountAdministration = new AccountAdministration(accountStore, passwordCost);
  const accountDirectory = new AccountDirectory(accountStore, changes);
  const connectedCallers = new ConnectedCallers(authenticator, changes, {
    perCaller: config.maxSocketsPerCaller,
    inAll: config.maxSockets,
  });
  return {
    credentialChanges: changes,
    accounts,
    accountAdministration,
    accountDirectory,
    attempts,
    firstAccount,
    identities,
    secondFactors,
    sessions,
    apiKeys,
    authenticator,
    connectedCallers,
  };
}

/** The configured identity provider, or null. */
function identityProviderOf({ oidcIssuer, oidcClientId, oidcClientSecret }: Config): IdentityProvider | null {
  if (oidcIssuer === null || oidcClientId === null) return null;
  const fetch = createGuardedFetch({ policy: 'saved', idleTimeoutMs: 10_000 });
  return new IdentityProvider({ issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret, fetch });
}
