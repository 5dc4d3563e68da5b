import { randomToken } from '../../lib/token.ts';
import type { MetadataStore } from '../system/metadata-store.ts';

const key = 'installation_id';

/**
 * Identifies this installation among others on the same host: 11 characters, generated at the first start. Not a
 * secret.
 */
export async function installationId(metadata: MetadataStore): Promise<string> {
  const known = await metadata.get(key);
  if (known !== null) return known;
  const made = randomToken(64);
  await metadata.set(key, made);
  return made;
}
