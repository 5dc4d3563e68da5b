import { type Config, decodeSecretKey } from '../config/index.ts';
import { SecretBox } from '../lib/secret-box.ts';
import { checkSecretKey, deriveKey, isKeySettled, loadSecretKey } from '../storage/secret-key.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyMetadataStore } from '../storage/system/kysely-metadata-store.ts';

/**
 * The secret key, and what encrypts with it.
 * @throws Error with a message for the operator when it is not the key of the storage
 */
export async function createSecrets({ database }: Storage, config: Config) {
  const configuredKey = config.secretKey === null ? null : decodeSecretKey(config.secretKey);
  const metadata = new KyselyMetadataStore(database);
  const secretKey = loadSecretKey(config.dataDir, configuredKey, await isKeySettled(metadata));
  const secrets = new SecretBox(deriveKey(secretKey, 'secrets-at-rest'));
  await checkSecretKey(metadata, secrets);
  return { secretKey, secrets, metadata };
}
