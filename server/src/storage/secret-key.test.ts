import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStorage } from '../../test/stores/open-test-storage.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { SecretBox } from '../lib/secret-box.ts';
import { checkSecretKey, deriveKey, loadSecretKey } from './secret-key.ts';
import { KyselyMetadataStore } from './system/kysely-metadata-store.ts';

describe('the secret key', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'parley-key-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is created once, readable by its owner only', () => {
    const key = loadSecretKey(directory, null);
    expect(key).toHaveLength(32);
    expect(loadSecretKey(directory, null)).toEqual(key);
    expect(readdirSync(directory)).toEqual(['secret.key']);
    expect(statSync(join(directory, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(join(directory, 'secret.key'), 'utf8'), 'base64')).toEqual(key);
  });

  it('differs between installations', () => {
    const first = loadSecretKey(directory, null);
    rmSync(join(directory, 'secret.key'));
    expect(loadSecretKey(directory, null)).not.toEqual(first);
  });

  it('that is readable for all gets its mode restored', () => {
    loadSecretKey(directory, null);
    chmodSync(join(directory, 'secret.key'), 0o644);
    loadSecretKey(directory, null);
    expect(statSync(join(directory, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it('that is configured leaves no file', () => {
    const configured = Buffer.alloc(32, 7);
    expect(loadSecretKey(directory, configured)).toBe(configured);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not made for a database that was written with another, and leaves no file', () => {
    expect(() => loadSecretKey(directory, null, true)).toThrow('set PARLEY_SECRET_KEY');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('that is too short is refused by the name of its file', () => {
    writeFileSync(join(directory, 'secret.key'), 'c2hvcnQ=\n');
    expect(() => loadSecretKey(directory, null)).toThrow(
      `${join(directory, 'secret.key')} is not a key of 32 bytes in base64`,
    );
  });

  it('derives a different key for each purpose, the same each time', () => {
    const key = Buffer.alloc(32, 1);
    expect(deriveKey(key, 'a')).toHaveLength(32);
    expect(deriveKey(key, 'a')).toEqual(deriveKey(key, 'a'));
    expect(deriveKey(key, 'a')).not.toEqual(deriveKey(key, 'b'));
    expect(deriveKey(key, 'a')).not.toEqual(deriveKey(Buffer.alloc(32, 2), 'a'));
  });

  it('must be the one that the database was written with', async () => {
    const facts = new Map<string, string>();
    const metadata: Pick<MetadataStore, 'get' | 'replace'> = {
      get: async (key) => facts.get(key) ?? null,
      replace: async (key, before, value) => {
        const isSame = (facts.get(key) ?? null) === before;
        if (isSame) facts.set(key, value);
        return isSame;
      },
    };
    const box = (fill: number) => new SecretBox(Buffer.alloc(32, fill));
    await checkSecretKey(metadata, box(1));
    await checkSecretKey(metadata, box(1));
    await expect(checkSecretKey(metadata, box(2))).rejects.toThrow(
      'The secret key does not match this database; see PARLEY_SECRET_KEY',
    );
    await checkSecretKey(metadata, box(1));
  });

  it('is one only of those of two processes that start first at the same time', async () => {
    const storage = await openTestStorage('postgres');
    const metadata = new KyselyMetadataStore(storage.database);
    const keys = [1, 2, 3, 4].map((fill) => new SecretBox(Buffer.alloc(32, fill)));
    const starts = await Promise.allSettled(keys.map((key) => checkSecretKey(metadata, key)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await storage.close();
  });
});
