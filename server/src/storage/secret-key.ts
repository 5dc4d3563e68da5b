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
 * @param isSettled whether the database was written with a key, so that a new one could not be right
 * @returns 32 bytes
 * @throws Error with a message for the operator
 */
export function loadSecretKey(dataDir: string, configured: Buffer | null, isSettled = false): Buffer {
  if (configured !== null) return configured;
  const path = join(dataDir, fileName);
  if (!existsSync(path)) {
    if (isSettled) {
      throw new Error(
        `The secret key of this database is not in ${dataDir}: set PARLEY_SECRET_KEY to the one that it was written with`,
      );
    }
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

/** Whether the database was written with a key. */
export async function isKeySettled(metadata: Pick<MetadataStore, 'get'>): Promise<boolean> {
  return (await metadata.get(probeName)) !== null;
}

/**
 * Refuses to start with another key than the one the database was written with.
 * @throws Error with a message for the operator
 */
export async function checkSecretKey(
  metadata: Pick<MetadataStore, 'get' | 'replace'>,
  secrets: SecretBox,
): Promise<void> {
  // One of those that start at the same time.
  if ((await metadata.get(probeName)) === null) {
    await metadata.replace(probeName, null, secrets.seal(probeContext, probeContext));
  }
  try {
    secrets.open((await metadata.get(probeName)) ?? '', probeContext);
  } catch (error) {
    throw new Error('The secret key does not match this database; see PARLEY_SECRET_KEY', {
      cause: error,
    });
  }
}
