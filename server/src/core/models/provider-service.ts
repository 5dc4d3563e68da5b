import {
  type ErrorDetail,
  invalidFields,
  type ModelKind,
  type ModelRequester,
  ParleyError,
  problemError,
} from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { mask } from '../../lib/mask.ts';
import type { Registry } from '../../lib/registry.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressDecision, AddressRules } from '../addresses/address-rules.ts';
import type { FoundAddress } from '../addresses/addresses-in.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { modelKindNames } from './model.ts';
import type { ChooseProvider, ModelStore } from './model-store.ts';
import {
  type CreateProvider,
  longestName,
  type NamedProvider,
  type Provider,
  type StoredProvider,
  type UpdateProvider,
} from './provider.ts';
import { unmaskKeys, wholeKeyRequired, wholeKeys } from './provider-keys.ts';

/** Model providers. Their keys are sealed at rest, masked on read and opened only to call a model. */
export class ProviderService {
  readonly #store: ModelStore;
  readonly #requesters: Registry<ModelRequester>;
  readonly #secrets: SecretBox;
  readonly #addresses: AddressRules;
  /** Opened keys by the records that they are of, so that they vanish with those. */
  readonly #opened = new WeakMap<StoredProvider, { sealed: string; keys: readonly string[] }>();

  constructor(store: ModelStore, requesters: Registry<ModelRequester>, secrets: SecretBox, addresses: AddressRules) {
    this.#store = store;
    this.#requesters = requesters;
    this.#secrets = secrets;
    this.#addresses = addresses;
  }

  list(): Promise<Provider[]> {
    return this.#store.providers();
  }

  async get(uuid: string): Promise<Provider> {
    const provider = isUuid(uuid) ? await this.#store.provider(uuid.toLowerCase()) : null;
    if (provider === null) throw providerNotFound();
    return provider;
  }

  async tagged(uuid: string): Promise<Tagged<Provider>> {
    const stored = isUuid(uuid) ? await this.#store.storedProvider(uuid.toLowerCase()) : null;
    if (stored === null) throw providerNotFound();
    // In this order a tag is never that of a later state than what it is sent with.
    return { tag: () => tagOf(stored), record: await this.get(uuid) };
  }

  /**
   * @returns the new provider's uuid
   * @throws ParleyError `invalid_request`, `secret_required` or `private_address`, as every method that writes an address
   */
  async create(request: CreateProvider, author: Author = 'other'): Promise<string> {
    this.#assertReachable(request.requester, request.base_url, '');
    const decide = await this.#decide(request, '', author);
    const provider = this.#newProvider(request, wholeKeys(request.api_keys ?? [], [], 'api_keys'), decide(null));
    await this.#store.createProvider(provider);
    return provider.uuid;
  }

  /** @throws ParleyError `secret_required` when stored keys would go to another requester or address; `record_changed` */
  async update(
    uuid: string,
    changes: UpdateProvider,
    author: Author = 'other',
    expected: ExpectedTags = null,
  ): Promise<void> {
    const known = isUuid(uuid) ? await this.#store.storedProvider(uuid.toLowerCase()) : null;
    if (known === null) throw providerNotFound();
    const { requester = known.requester, base_url = known.base_url } = changes;
    const decide = await this.#decide({ requester, base_url }, '', author);
    const change = (stored: StoredProvider, kinds: ModelKind[]) => {
      requireTag(expected, () => tagOf(stored));
      return this.#changed(stored, changes, { kinds, decide });
    };
    if (!(await this.#store.updateProvider(known.uuid, change))) throw providerNotFound();
  }

  /** @throws ParleyError `in_use` while there are models of it */
  async delete(uuid: string): Promise<void> {
    const models = isUuid(uuid) ? await this.#store.deleteProvider(uuid.toLowerCase()) : null;
    if (models === null) throw providerNotFound();
    if (models.length === 0) return;
    const kinds = [...new Set(models.map(({ kind }) => modelKindNames[kind]))].join(' and ');
    throw new ParleyError('in_use', `Cannot delete provider: ${kinds} still reference it`, {
      details: models.map((model) => ({ path: `models/${model.uuid}`, message: model.name })),
    });
  }

  /**
   * Selects the provider of a model from a request.
   * @param kind of the model, or null for models of any kind
   * @throws ParleyError `invalid_request`, `secret_required` or `private_address`, here or from the returned function
   */
  async choice(
    { provider_uuid, provider = {} }: NamedProvider,
    kind: ModelKind | null,
    author: Author = 'other',
  ): Promise<ChooseProvider> {
    // Clients of the reference system leave them empty when they test a model that is not stored.
    if (provider_uuid) return this.#choiceOf(provider_uuid, 'provider_uuid', kind);
    if (provider.uuid) return this.#choiceOf(provider.uuid, 'provider.uuid', kind);
    const { requester, base_url, api_keys = [] } = provider;
    if (requester === undefined || base_url === undefined) {
      throw new ParleyError('invalid_request', 'provider_uuid: is required', {
        details: [
          {
            path: 'provider_uuid',
            message: 'is required, or a provider with requester and base_url',
            rule: 'required',
          },
        ],
      });
    }
    this.#assertReachable(requester, base_url, 'provider.');
    this.#assertSupport(requester, kind === null ? [] : [kind], 'provider.requester');
    const decide = await this.#decide({ requester, base_url }, 'provider.', author);
    return (stored) => {
      const candidates = stored
        .filter((one) => one.requester === requester && one.base_url === base_url.trim())
        .map((one) => ({ provider: one, keys: this.keys(one) }))
        .map((one) => ({ ...one, wanted: unmaskKeys(api_keys, one.keys) }))
        .filter(({ wanted }) => !wanted.includes(null));
      const same = candidates.find(({ keys, wanted }) => listed(wanted) === listed(keys));
      if (same !== undefined) return { provider: same.provider, isNew: false };
      const keys = wholeKeys(api_keys, candidates[0]?.keys ?? [], 'provider.api_keys');
      const name = provider.name ?? (URL.parse(base_url)?.host || requester).slice(0, longestName);
      return { provider: this.#newProvider({ name, requester, base_url }, keys, decide(null)), isNew: true };
    };
  }

  /** The requester that a provider is called with; undefined when it is not installed any more. */
  requester(name: string): ModelRequester | undefined {
    return this.#requesters.get(name);
  }

  /** @throws ParleyError `conflict` when it is not installed any more */
  installedRequester({ requester: name }: Pick<StoredProvider, 'requester'>): ModelRequester {
    const requester = this.#requesters.get(name);
    if (requester !== undefined) return requester;
    throw problemError('requester_missing', { requester: name });
  }

  /** The keys in clear, for a call to the provider. They are opened once for each record in memory. */
  keys(provider: StoredProvider): readonly string[] {
    const { sealed_secrets: sealed, uuid } = provider;
    if (sealed === null) return [];
    const known = this.#opened.get(provider);
    if (known?.sealed === sealed) return known.keys;
    const keys = JSON.parse(this.#secrets.open(sealed, secretContext(uuid))) as string[];
    this.#opened.set(provider, { sealed, keys });
    return keys;
  }

  #choiceOf(uuid: string, path: string, kind: ModelKind | null): ChooseProvider {
    return (stored) => {
      const provider = stored.find((one) => one.uuid === uuid.toLowerCase());
      if (provider === undefined) throw invalidFields([{ path, message: 'provider not found', rule: 'missing' }]);
      this.#assertSupport(provider.requester, kind === null ? [] : [kind], path);
      return { provider, isNew: false };
    };
  }

  #changed(
    stored: StoredProvider,
    changes: UpdateProvider,
    { kinds, decide }: { kinds: ModelKind[]; decide: AddressDecision },
  ): StoredProvider {
    const { name = stored.name, requester = stored.requester } = changes;
    const base_url = (changes.base_url ?? stored.base_url).trim();
    // A provider of a requester that is not installed any more can still be renamed.
    if (requester !== stored.requester || base_url !== stored.base_url) this.#assertReachable(requester, base_url, '');
    if (requester !== stored.requester) this.#assertSupport(requester, kinds, 'requester');
    const admin_addresses = decide({
      addresses: this.#addressesOf(stored, '').map(({ address }) => address),
      admin_addresses: stored.admin_addresses,
    });
    const updated = { ...stored, name, requester, base_url, admin_addresses, updated_at: now() };
    const isMoved = requester !== stored.requester || originOf(base_url) !== originOf(stored.base_url);
    if (changes.api_keys === undefined) {
      if (isMoved && stored.sealed_secrets !== null) throw wholeKeyRequired('api_keys', 'is required');
      return updated;
    }
    const keys = wholeKeys(changes.api_keys, isMoved ? [] : this.keys(stored), 'api_keys');
    return { ...updated, ...this.#sealed(stored.uuid, keys) };
  }

  #newProvider(request: Omit<CreateProvider, 'api_keys'>, keys: string[], admin_addresses: string[]): StoredProvider {
    const uuid = newUuid();
    return {
      uuid,
      name: request.name,
      requester: request.requester,
      base_url: request.base_url.trim(),
      ...this.#sealed(uuid, keys),
      admin_addresses,
      created_at: now(),
      updated_at: now(),
    };
  }

  #decide(address: Pick<CreateProvider, 'requester' | 'base_url'>, prefix: string, author: Author) {
    return this.#addresses.decide(this.#addressesOf(address, prefix), author);
  }

  /** Without a base URL, a provider is called at that of its requester. */
  #addressesOf(
    { requester, base_url }: Pick<CreateProvider, 'requester' | 'base_url'>,
    prefix: string,
  ): FoundAddress[] {
    const initial = this.#requesters.get(requester)?.default_base_url ?? '';
    const address = base_url.trim() || initial;
    return address === '' ? [] : [{ path: `${prefix}base_url`, address, isDefault: address === initial }];
  }

  #sealed(uuid: string, keys: string[]): Pick<StoredProvider, 'api_keys' | 'sealed_secrets'> {
    return {
      api_keys: keys.map(mask),
      sealed_secrets: keys.length === 0 ? null : this.#secrets.seal(JSON.stringify(keys), secretContext(uuid)),
    };
  }

  /** @param prefix of the paths in errors */
  #assertReachable(name: string, baseUrl: string, prefix: string): void {
    const requester = this.#requesters.get(name);
    if (requester === undefined) {
      throw invalidFields([{ path: `${prefix}requester`, message: `unknown requester "${name}"`, rule: 'missing' }]);
    }
    if (requester.unavailable !== undefined) {
      const message = `"${name}" is not available: ${requester.unavailable.en_US}`;
      throw invalidFields([{ path: `${prefix}requester`, message, rule: 'unavailable' }]);
    }
    const fault = addressFault(baseUrl, requester);
    if (fault !== null) throw invalidFields([{ path: `${prefix}base_url`, ...fault }]);
  }

  #assertSupport(name: string, kinds: ModelKind[], path: string): void {
    const supported = this.#requesters.get(name)?.support_type ?? [];
    const missing = kinds.find((kind) => !supported.includes(kind));
    if (missing === undefined) return;
    const message = `the requester "${name}" has no ${modelKindNames[missing]}`;
    throw invalidFields([{ path, message, rule: 'modelKind' }]);
  }
}

function tagOf(stored: StoredProvider): string {
  return recordTag(stored, ['admin_addresses']);
}

function secretContext(uuid: string): string {
  return `provider/${uuid}`;
}

/** Keys to compare, whatever their order. */
function listed(keys: readonly (string | null)[]): string {
  return keys
    .filter((key) => key !== '')
    .sort()
    .join('\n');
}

/** The origin that a key is sent to; an invalid address counts as a separate one. */
function originOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.origin ?? baseUrl;
}

/** The error of an identifier that no provider has. */
export function providerNotFound(): ParleyError {
  return problemError('provider_not_found');
}

function addressFault(baseUrl: string, requester: ModelRequester): Omit<ErrorDetail, 'path'> | null {
  const noAddress = { message: 'must be an http or https address', rule: 'address' };
  if (baseUrl.trim() === '') return requester.default_base_url === '' ? null : noAddress;
  const url = URL.parse(baseUrl.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return noAddress;
  if (url.username !== '' || url.password !== '') {
    return { message: 'must not hold a user name or password', rule: 'addressAccount' };
  }
  return null;
}
