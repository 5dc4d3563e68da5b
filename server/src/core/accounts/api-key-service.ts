import { invalidFields, problemError } from '@parley/sdk';
import { now, present } from '../../lib/clock.ts';
import { mask } from '../../lib/mask.ts';
import { fingerprint, randomToken } from '../../lib/token.ts';
import { RecordCache } from '../records/record-cache.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import type { ReadVersions } from '../records/record-versions.ts';
import { type ApiKey, type ApiKeyFilter, type CreateApiKey, defaultScopes, type UpdateApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { CredentialChanges } from './credential-changes.ts';

/** Prefix of every key; programs written for the reference system check it. */
export const apiKeyPrefix = 'lbk_';
/** The time of last use is written at most this often per key. */
const touchIntervalMs = 60_000;

/** Credentials of programs. A key is shown once; only its fingerprint is stored. */
export class ApiKeyService {
  readonly #store: ApiKeyStore;
  readonly #changes: CredentialChanges;
  readonly #touched = new Map<number, number>();
  readonly #cache = new RecordCache();
  readonly #byHash: (hash: string) => Promise<ApiKey | null>;

  constructor(store: ApiKeyStore, changes: CredentialChanges) {
    this.#store = store;
    this.#changes = changes;
    this.#byHash = this.#cache.reader((hash) => store.byHash(hash));
  }

  list(): Promise<ApiKey[]> {
    return this.#store.list();
  }

  page(listing: RecordListing & ApiKeyFilter): Promise<ListedRecords<ApiKey>> {
    return this.#store.page(listing, now());
  }

  /** All matches, by id. */
  names(listing: RecordListing & ApiKeyFilter): Promise<NamedRecord<number>[]> {
    return this.#store.names(listing, now());
  }

  async get(id: number): Promise<ApiKey> {
    return found(await this.#store.byId(id));
  }

  async tagged(id: number): Promise<Tagged<ApiKey>> {
    return withTag(await this.get(id));
  }

  /**
   * @param maker uuid of the account that it ends with; null for one of the installation
   * @returns the record with the whole key in `key`
   */
  async create(request: CreateApiKey, maker: string | null): Promise<ApiKey> {
    const expiresAt = request.expires_at == null ? null : futureTimestamp(request.expires_at);
    const key = `${apiKeyPrefix}${randomToken(256)}`;
    const stored = await this.#store.create(
      {
        name: request.name,
        key: mask(key),
        description: request.description ?? '',
        scopes: request.scopes ?? defaultScopes,
        account_uuid: maker,
        expires_at: expiresAt,
        created_at: now(),
        updated_at: now(),
      },
      fingerprint(key),
    );
    return { ...stored, key };
  }

  /** @throws ParleyError `not_found`, `record_changed` */
  async update(id: number, changes: UpdateApiKey, expected: ExpectedTags = null): Promise<Tagged<ApiKey>> {
    const change = (stored: ApiKey) => {
      requireTag(expected, withTag(stored).tag);
      return changes;
    };
    const key = found(await this.#store.update(id, change, now()));
    await this.#changes.notify({ apiKey: id });
    return withTag(key);
  }

  async revoke(id: number): Promise<void> {
    if (!(await this.#store.delete(id))) found(null);
    this.#touched.delete(id);
    await this.#changes.notify({ apiKey: id });
  }

  /**
   * The record of a presented key, or null when it is unknown, revoked or expired.
   * @param versions of the records after the key was presented; what is in memory counts while it has the version of
   *   access. Without them, the key is read.
   */
  async authenticate(key: string, versions?: ReadVersions): Promise<ApiKey | null> {
    const hash = fingerprint(key);
    const record = await (versions === undefined ? this.#store.byHash(hash) : this.#known(hash, versions));
    if (record === null || hasExpired(record)) return null;
    const last = this.#touched.get(record.id) ?? 0;
    if (present() - last > touchIntervalMs) {
      this.#touched.set(record.id, present());
      await this.#store.touch(record.id, now());
    }
    return record;
  }

  async #known(hash: string, versions: ReadVersions): Promise<ApiKey | null> {
    this.#cache.see((await versions()).access);
    return await this.#byHash(hash);
  }

  /** The record of a key; null when it was revoked or has expired. */
  async current(id: number): Promise<ApiKey | null> {
    const record = await this.#store.byId(id);
    return record === null || hasExpired(record) ? null : record;
  }
}

function hasExpired(key: ApiKey): boolean {
  return key.expires_at !== null && key.expires_at <= now();
}

/** Normalizes a timestamp for storage. The schema accepts leap seconds, which dates cannot represent. */
function futureTimestamp(text: string): string {
  const timestamp = new Date(text);
  if (!(timestamp.getTime() > present())) {
    throw invalidFields([{ path: 'expires_at', message: 'must be in the future', rule: 'future' }]);
  }
  return timestamp.toISOString();
}

function withTag(record: ApiKey): Tagged<ApiKey> {
  const { name, description } = record;
  return { record, tag: () => recordTag({ name, description }, []) };
}

function found(key: ApiKey | null): ApiKey {
  if (key === null) throw problemError('api_key_not_found');
  return key;
}
