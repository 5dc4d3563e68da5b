import { invalidFields, type KnowledgeEngine, ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { WorkerLoop } from '../../lib/worker-loop.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { addressesIn } from '../addresses/addresses-in.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { type BaseSettings, placed } from './base-settings.ts';
import type { CollectionService } from './collection-service.ts';
import type { CollectionStore } from './collection-store.ts';
import type { DocumentQueue } from './document-queue.ts';
import type { EngineCatalog } from './engine-catalog.ts';
import { existingBase, noBase } from './existing-base.ts';
import type {
  CreateKnowledgeBase,
  KnowledgeBaseView,
  StoredCollection,
  StoredKnowledgeBase,
  UpdateKnowledgeBase,
} from './knowledge-base.ts';
import type { KnowledgeBaseFilter, KnowledgeBaseStore } from './knowledge-base-store.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';

export interface KnowledgeBaseServiceOptions {
  collectionStore: CollectionStore;
  collections: Pick<CollectionService, 'follow'>;
  catalog: EngineCatalog;
  addresses: AddressRules;
  engines: Pick<KnowledgeEngines, 'open'>;
  settings: BaseSettings;
  queue: Pick<DocumentQueue, 'halt'>;
  remover: Pick<WorkerLoop, 'wake'>;
  /** Called when a base was deleted, to end its tasks. */
  removed: (baseUuid: string) => void;
}

/** Knowledge bases as records. */
export class KnowledgeBaseService {
  readonly #store: KnowledgeBaseStore;
  readonly #options: KnowledgeBaseServiceOptions;

  constructor(store: KnowledgeBaseStore, options: KnowledgeBaseServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Oldest first. */
  async list(): Promise<KnowledgeBaseView[]> {
    return (await this.#store.list()).map((base) => this.#shown(base));
  }

  async page(listing: RecordListing & KnowledgeBaseFilter): Promise<ListedRecords<KnowledgeBaseView>> {
    const { records, total } = await this.#store.page(listing);
    return { records: records.map((base) => this.#shown(base)), total };
  }

  /** All matches, by uuid. */
  names(listing: RecordListing & KnowledgeBaseFilter): Promise<NamedRecord[]> {
    return this.#store.names(listing);
  }

  /** @throws ParleyError `not_found`, as every method that takes a uuid */
  async get(uuid: string): Promise<KnowledgeBaseView> {
    return (await this.tagged(uuid)).record;
  }

  async tagged(uuid: string): Promise<Tagged<KnowledgeBaseView>> {
    const stored = await existingBase(this.#store, uuid);
    return { record: this.#shown(stored), tag: () => tagOf(stored) };
  }

  /**
   * @returns the new base's uuid
   * @throws ParleyError `invalid_request` with the path of each fault, `secret_required`, or why the engine could not
   *   make it; no base is made then
   */
  async create(request: CreateKnowledgeBase, author: Author = 'other'): Promise<string> {
    const { catalog, settings, collectionStore, engines, remover, addresses } = this.#options;
    const engine = this.#engineOf(request.knowledge_engine_plugin_id ?? catalog.defaultEngineId);
    const { plugin_id: knowledge_engine_plugin_id } = engine;
    const [uuid, collection_id, timestamp] = [newUuid(), newUuid(), now()];
    const retrieval = settings.acceptRetrieval(engine, request.retrieval_settings ?? {}, { uuid, stored: null });
    const creation = settings.acceptCreation(engine, request.creation_settings ?? {}, collection_id, null);
    const found = addressesIn(engine.creationSchema, creation.settings, 'creation_settings');
    const decide = await addresses.decide(found, author);
    const collection: StoredCollection = {
      collection_id,
      knowledge_base_uuid: uuid,
      knowledge_engine_plugin_id,
      state: 'building',
      creation_settings: creation.settings,
      sealed_secrets: creation.sealed_secrets,
      admin_addresses: decide(null),
      error: null,
      evaluation_uuid: null,
      created_at: timestamp,
      updated_at: timestamp,
    };
    // Recorded before its engine creates it, so that the remains of an interrupted creation are removed.
    await collectionStore.create(collection);
    try {
      await engines.open(collection);
      await this.#store.create({
        uuid,
        collection_id,
        knowledge_engine_plugin_id,
        name: request.name ?? 'Untitled',
        description: request.description ?? '',
        emoji: request.emoji === undefined ? defaultEmoji : request.emoji,
        retrieval_settings: retrieval.settings,
        sealed_secrets: retrieval.sealed_secrets,
        created_at: timestamp,
        updated_at: timestamp,
      });
    } catch (error) {
      await collectionStore.change(collection_id, ['building'], { state: 'dropping', updated_at: now() });
      remover.wake();
      throw placed(error, 'creation_settings');
    }
    return uuid;
  }

  /**
   * Replaces the given fields. Changed `creation_settings` start a rebuild.
   * @returns the number of the rebuild's task; null when none was started
   * @throws ParleyError as {@link create}, `conflict` when a rebuild is in progress, or `record_changed`
   */
  async update(
    uuid: string,
    request: UpdateKnowledgeBase,
    author: Author = 'other',
    expected: ExpectedTags = null,
  ): Promise<{ task_id: number | null }> {
    if (!isUuid(uuid)) throw noBase();
    const known = uuid.toLowerCase();
    const change = (stored: StoredKnowledgeBase) => {
      requireTag(expected, () => tagOf(stored));
      return this.#changes(stored, request);
    };
    const save = async () => {
      if (!(await this.#store.update(known, change))) throw noBase();
    };
    const { creation_settings } = request;
    // Errors in other fields are found before a rebuild is started.
    const stored = await this.#store.byUuid(known);
    if (stored === null) throw noBase();
    change(stored);
    const task_id =
      creation_settings === undefined
        ? null
        : await this.#options.collections.follow(known, creation_settings, { author, beforeStart: save });
    if (task_id === null) await save();
    return { task_id };
  }

  /**
   * Removes a base with its documents. What its engine stored is removed afterwards.
   * @throws ParleyError `in_use` while pipelines name it
   */
  async delete(uuid: string): Promise<void> {
    const known = uuid.toLowerCase();
    const pipelines = isUuid(uuid) ? await this.#store.delete(known, now()) : null;
    if (pipelines === null) throw noBase();
    if (pipelines.length > 0) {
      throw new ParleyError('in_use', 'Cannot delete the knowledge base: pipelines still use it', {
        details: pipelines.map((pipeline) => ({ path: `pipelines/${pipeline.uuid}`, message: pipeline.name })),
      });
    }
    await this.#options.queue.halt('remove', ({ base }) => base === known);
    this.#options.removed(known);
    this.#options.remover.wake();
  }

  #changes(stored: StoredKnowledgeBase, request: UpdateKnowledgeBase) {
    const { name = stored.name, description = stored.description, retrieval_settings: given } = request;
    const { emoji, retrieval_settings, sealed_secrets } = stored;
    const texts = { name, description, emoji: request.emoji === undefined ? emoji : request.emoji, updated_at: now() };
    // An unchanged engine is not needed: bases of a removed engine can still be renamed.
    if (given === undefined || JSON.stringify(given) === JSON.stringify(retrieval_settings)) {
      return { ...texts, retrieval_settings, sealed_secrets };
    }
    const engine = this.#engineOf(stored.knowledge_engine_plugin_id);
    const accepted = this.#options.settings.acceptRetrieval(engine, given, { uuid: stored.uuid, stored });
    return { ...texts, retrieval_settings: accepted.settings, sealed_secrets: accepted.sealed_secrets };
  }

  #engineOf(pluginId: string): KnowledgeEngine {
    const engine = this.#options.catalog.find(pluginId);
    if (engine !== null) return engine;
    const message = `Knowledge Engine plugin ${pluginId} not found`;
    throw invalidFields([{ path: 'knowledge_engine_plugin_id', message, rule: 'missing' }]);
  }

  #shown({ sealed_secrets: _, ...base }: StoredKnowledgeBase): KnowledgeBaseView {
    const plugin_id = base.knowledge_engine_plugin_id;
    const engine = this.#options.catalog.find(plugin_id);
    const name = engine?.name ?? { en_US: plugin_id, zh_Hans: plugin_id, ja_JP: plugin_id };
    return { ...base, knowledge_engine: { plugin_id, name, capabilities: [...(engine?.capabilities ?? [])] } };
  }
}

/** Creation settings, with their secrets, are those of the collection and change with its id. */
function tagOf(stored: StoredKnowledgeBase): string {
  return recordTag(stored, ['document_count', 'chunk_count']);
}

/** The default icon in the reference system. */
const defaultEmoji = '📚';
