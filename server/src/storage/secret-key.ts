import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import type { SecretBox } from '../lib/secret-box.ts';

const fileName = 'secret.key';
const probeName = 'secret_key_probe';
const probeContext = 'secret-key-probe';

/**
 * The encryption key of all secrets: the configured one, else the one in the data directory, which is created on the
 * first start.
 * @returns 32 bytes
 */
export function loadSecretKey(dataDir: string, configured: Buffer | null): Buffer {
  if (configured !== null) return configured;
  const path = join(dataDir, fileName);
  if (!existsSync(path)) {
    // Complete before it has its name: a key that was cut off by a crash would lock the next start out.
    const part = `${path}.part`;
    writeFileSync(part, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
    renameSync(part, path);
  }
  chmodSync(path, 0o600);
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${path} is not a key of 32 bytes in base64`);
  return key;
}

/** A key for one purpose, derived so that it tells nothing about the others. */
export function deriveKey(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `parley/${purpose}`, 32));
}

/**
 * Refuses to start with another key than the one the database was written with.
 * @throws Error with a message for the operator
 */
export async function checkSecretKey(metadata: Pick<MetadataStore, 'get' | 'set'>, secrets: SecretBox): Promise<void> {
  const probe = await metadata.get(probeName);
  if (probe === null) {
    await metadata.set(probeName, secrets.seal(probeContext, probeContext));
    return;
  }
  try {
    secrets.open(probe, probeContext);
  } catch (error) {
    throw new Error('The secret key does not match this database; see PARLEY_SECRET_KEY', {
      cause: error,
    });
  }
}
