import { invalidFields, type ModelRequester, ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isMasked, mask } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { ModelStore } from './model-store.ts';
import type { CreateProvider, Provider, StoredProvider } from './provider.ts';

/** Model providers. Their keys are sealed at rest, masked on read and opened only to call a model. */
export class ProviderService {
  readonly #store: ModelStore;
  readonly #requesters: ReadonlyMap<string, ModelRequester>;
  readonly #secrets: SecretBox;

  constructor(store: ModelStore, requesters: readonly ModelRequester[], secrets: SecretBox) {
    this.#store = store;
    this.#requesters = new Map(requesters.map((requester) => [requester.name, requester]));
    this.#secrets = secrets;
  }

  list(): Promise<Provider[]> {
    return this.#store.providers();
  }

  async get(uuid: string): Promise<Provider> {
    const provider = isUuid(uuid) ? await this.#store.provider(uuid.toLowerCase()) : null;
    if (provider === null) throw new ParleyError('not_found', 'provider not found');
    return provider;
  }

  /** @returns the new provider's uuid */
  async create(request: CreateProvider): Promise<string> {
    const requester = this.#requesters.get(request.requester);
    if (requester === undefined)
      throw invalidFields([{ path: 'requester', message: `there is no requester "${request.requester}"` }]);
    const fault = addressFault(request.base_url, requester);
    if (fault !== null) throw invalidFields([{ path: 'base_url', message: fault }]);
    const keys = (request.api_keys ?? []).filter((key) => key.trim() !== '');
    const masked = keys.findIndex(isMasked);
    if (masked >= 0) {
      throw new ParleyError('secret_required', 'A masked key cannot be stored; send the whole key', {
        details: [{ path: `api_keys[${masked}]`, message: 'is masked' }],
      });
    }
    const uuid = newUuid();
    await this.#store.createProvider({
      uuid,
      name: request.name,
      requester: request.requester,
      base_url: request.base_url.trim(),
      api_keys: keys.map(mask),
      sealed_secrets: keys.length === 0 ? null : this.#secrets.seal(JSON.stringify(keys), `provider/${uuid}`),
      created_at: now(),
      updated_at: now(),
    });
    return uuid;
  }

  /** The keys in clear, for a call to the provider. */
  keys(provider: StoredProvider): string[] {
    if (provider.sealed_secrets === null) return [];
    return JSON.parse(this.#secrets.open(provider.sealed_secrets, `provider/${provider.uuid}`)) as string[];
  }

  requester(name: string): ModelRequester | undefined {
    return this.#requesters.get(name);
  }
}

function addressFault(baseUrl: string, requester: ModelRequester): string | null {
  if (baseUrl.trim() === '') return requester.default_base_url === '' ? null : 'must be an http or https address';
  const url = URL.parse(baseUrl.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return null;
}
