import { isDeepStrictEqual } from 'node:util';
import { type ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { WorkerLoop } from '../../lib/worker-loop.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { addressesIn } from '../addresses/addresses-in.ts';
import { type BaseSettings, placed } from './base-settings.ts';
import type { CollectionBuilder } from './collection-builder.ts';
import type { CollectionStore } from './collection-store.ts';
import type { DocumentQueue } from './document-queue.ts';
import { existingBase } from './existing-base.ts';
import type { CollectionView, StoredCollection } from './knowledge-base.ts';
import type { KnowledgeBaseStore } from './knowledge-base-store.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';

export interface CollectionServiceOptions {
  bases: Pick<KnowledgeBaseStore, 'byUuid'>;
  engines: Pick<KnowledgeEngines, 'engine'>;
  settings: BaseSettings;
  addresses: AddressRules;
  builder: Pick<CollectionBuilder, 'begin' | 'activate' | 'discarded'>;
  queue: Pick<DocumentQueue, 'halt'>;
  remover: Pick<WorkerLoop, 'wake'>;
}

/** The collections of knowledge bases: the active one, and one that is being built. */
export class CollectionService {
  readonly #store: CollectionStore;
  readonly #options: CollectionServiceOptions;

  constructor(store: CollectionStore, options: CollectionServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Oldest first.
   * @throws ParleyError `not_found`, as every method that takes a uuid
   */
  async list(baseUuid: string): Promise<CollectionView[]> {
    return this.#store.list((await this.#base(baseUuid)).uuid);
  }

  /**
   * Indexes all documents into a new collection, which replaces the active one when it is complete and not worse.
   * @param given creation settings; those of the active collection when omitted
   * @throws ParleyError `invalid_request`, `secret_required`, `conflict` when a rebuild is in progress or pending, or
   * why the engine cannot create the collection
   */
  async rebuild(
    baseUuid: string,
    given?: Record<string, unknown>,
    author: Author = 'other',
  ): Promise<{ task_id: number; collection: CollectionView }> {
    const base = await this.#base(baseUuid);
    const searched = await this.#stored(base.uuid, base.collection_id);
    const collection = await this.#next(searched, given ?? searched.creation_settings, author);
    return this.#rebuild(collection);
  }

  /**
   * Starts a rebuild if the settings would index documents differently.
   * @param beforeStart called once the engine has the new collection; an error discards it
   * @returns the number of its task; null when there is nothing to do
   * @throws ParleyError as {@link rebuild}, and the errors of `beforeStart`
   */
  async follow(
    baseUuid: string,
    given: Record<string, unknown>,
    { author = 'other', beforeStart }: { author?: Author; beforeStart: () => Promise<void> },
  ): Promise<number | null> {
    const base = await this.#base(baseUuid);
    const searched = await this.#stored(base.uuid, base.collection_id);
    // Unchanged settings need no engine, which may have been removed.
    if (isDeepStrictEqual(given, searched.creation_settings)) return null;
    const next = await this.#next(searched, given, author);
    const engine = this.#options.engines.engine(searched);
    const accepted = { settings: next.creation_settings, sealed_secrets: next.sealed_secrets };
    if (!this.#options.settings.isOther(engine, accepted, next.collection_id, searched)) return null;
    return (await this.#rebuild(next, beforeStart)).task_id;
  }

  /** Searches a collection that waits for this decision. @throws ParleyError `conflict` when it does not */
  async activate(baseUuid: string, collectionId: string): Promise<CollectionView> {
    const base = await this.#base(baseUuid);
    const collection = await this.#stored(base.uuid, collectionId);
    if (collection.state !== 'waiting') {
      throw problemError('collection_not_waiting', { state: collection.state });
    }
    await this.#options.builder.activate(collection.collection_id);
    return this.#shown(collection);
  }

  /** Discards an inactive collection. @throws ParleyError `conflict` for the active one */
  async discard(baseUuid: string, collectionId: string): Promise<void> {
    const base = await this.#base(baseUuid);
    await this.#discard(await this.#stored(base.uuid, collectionId));
  }

  /** Discards a rebuild whose task was cancelled; a no-op when it has ended. */
  async cancel(collectionId: string): Promise<void> {
    const collection = await this.#store.byId(collectionId);
    if (collection?.state === 'building') await this.#discard(collection);
  }

  async #discard({ collection_id }: StoredCollection): Promise<void> {
    const changes = { state: 'dropping', updated_at: now() } as const;
    if (!(await this.#store.change(collection_id, ['building', 'waiting', 'failed', 'dropping'], changes))) {
      throw problemError('collection_searched');
    }
    this.#options.builder.discarded(collection_id);
    await this.#options.queue.halt('stop', (run) => run.collectionId === collection_id);
    this.#options.remover.wake();
  }

  async #rebuild(
    collection: StoredCollection,
    beforeStart?: () => Promise<void>,
  ): Promise<{ task_id: number; collection: CollectionView }> {
    if (!(await this.#store.create(collection))) {
      throw problemError('base_being_rebuilt');
    }
    try {
      const task_id = await this.#options.builder.begin(collection, beforeStart);
      return { task_id, collection: await this.#shown(collection) };
    } catch (error) {
      throw placed(error, 'creation_settings');
    } finally {
      // Those that failed before were abandoned.
      this.#options.remover.wake();
    }
  }

  async #next(searched: StoredCollection, given: Record<string, unknown>, author: Author): Promise<StoredCollection> {
    const { engines, settings, addresses } = this.#options;
    const engine = engines.engine(searched);
    const collection_id = newUuid();
    const accepted = settings.acceptCreation(engine, given, collection_id, searched);
    const found = (of: Record<string, unknown>) => addressesIn(engine.creationSchema, of, 'creation_settings');
    const decide = await addresses.decide(found(accepted.settings), author);
    const before = found(searched.creation_settings).map(({ address }) => address);
    const timestamp = now();
    return {
      ...searched,
      collection_id,
      creation_settings: accepted.settings,
      sealed_secrets: accepted.sealed_secrets,
      admin_addresses: decide({ addresses: before, admin_addresses: searched.admin_addresses }),
      state: 'building',
      error: null,
      evaluation_uuid: null,
      created_at: timestamp,
      updated_at: timestamp,
    };
  }

  #base(uuid: string) {
    return existingBase(this.#options.bases, uuid);
  }

  async #stored(baseUuid: string, collectionId: string): Promise<StoredCollection> {
    const collection = isUuid(collectionId) ? await this.#store.byId(collectionId.toLowerCase()) : null;
    if (collection?.knowledge_base_uuid !== baseUuid) throw noCollection();
    return collection;
  }

  async #shown({ knowledge_base_uuid, collection_id }: StoredCollection): Promise<CollectionView> {
    const collections = await this.#store.list(knowledge_base_uuid);
    const shown = collections.find((one) => one.collection_id === collection_id);
    if (shown === undefined) throw noCollection();
    return shown;
  }
}

function noCollection(): ParleyError {
  return problemError('collection_not_found');
}
