import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { ParleyError } from '@parley/sdk';
import { inspectPackage } from '../core/plugins/package/inspect-package.ts';
import { manifestFile, signatureFile } from '../core/plugins/package/read-manifest.ts';
import { openPackage } from '../plugin-host/package/open-package.ts';
import { readPackageFile } from '../plugin-host/package/read-package-file.ts';
import { writeArchive } from '../plugin-host/package/write-archive.ts';
import type { PackedPlugin } from './pack-plugin.ts';

/** The public half of a key. */
export interface SigningKey {
  /** Base64 of 32 bytes. */
  public_key: string;
  /** SHA-256 of these, in hexadecimal. */
  fingerprint: string;
}

/**
 * Makes a key and stores it, readable for its owner only.
 * @param path of a new file
 * @throws ParleyError `conflict` when there is such a file
 */
export async function createSigningKey(path: string): Promise<SigningKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new ParleyError('conflict', `There is a file ${path} already`, { cause: error });
  });
  try {
    await file.writeFile(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    await file.sync();
  } finally {
    await file.close();
  }
  return describedKey(privateKey);
}

/**
 * Reads a key.
 * @throws ParleyError `not_found`; `invalid_request` when it is no private Ed25519 key, or others may read it
 */
export async function readSigningKey(path: string): Promise<KeyObject> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ParleyError('not_found', `There is no key ${path} that can be read`, { cause: error });
  });
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new ParleyError('invalid_request', `Others may read the key ${path}. Run: chmod 600 ${path}`);
  }
  const key = parsedKey(text);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new ParleyError('invalid_request', `${path} has no private Ed25519 key in PEM form`);
}

/**
 * Signs a package; a signature that it has is replaced.
 * @param file the package, which stays as it is
 * @throws ParleyError `not_found`, `plugin_invalid` or `plugin_incompatible`
 */
export async function signPackage(file: string, key: KeyObject): Promise<PackedPlugin> {
  const bytes = await readPackageFile(file);
  await inspectPackage(bytes, openPackage);
  const files = new Map<string, Uint8Array>();
  for (const entry of await openPackage(bytes)) {
    if (entry.path.endsWith('/') || entry.path === signatureFile) continue;
    files.set(entry.path, await entry.read());
    if (entry.path !== manifestFile) continue;
    const signature = sign(null, await entry.read(), key).toString('base64');
    const { public_key } = describedKey(key);
    files.set(signatureFile, Buffer.from(`${JSON.stringify({ algorithm: 'ed25519', public_key, signature })}\n`));
  }
  const signed = await writeArchive(files);
  return { bytes: signed, inspected: await inspectPackage(signed, openPackage) };
}

function describedKey(key: KeyObject): SigningKey {
  // Ed25519 keys have it.
  const { x = '' } = key.export({ format: 'jwk' });
  const bytes = Buffer.from(x, 'base64url');
  return {
    public_key: bytes.toString('base64'),
    fingerprint: createHash('sha256').update(bytes).digest('hex'),
  };
}

function parsedKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    // Its error may quote the text.
    return null;
  }
}
