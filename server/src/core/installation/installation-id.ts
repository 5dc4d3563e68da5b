import { randomToken } from '../../lib/token.ts';
import type { MetadataStore } from '../system/metadata-store.ts';

const key = 'installation_id';

/**
 * Identifies this installation among others on the same host, and its files: 11 characters, generated at the first start.
 * Two replicas that start for the first time at once have the same. Not a secret.
 */
export async function installationId(metadata: MetadataStore): Promise<string> {
  const known = await metadata.get(key);
  if (known !== null) return known;
  const made = randomToken(64);
  if (await metadata.replace(key, null, made)) return made;
  return installationId(metadata);
}
