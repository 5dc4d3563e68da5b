import { isDeepStrictEqual } from 'node:util';
import { invalidFields, type KnowledgeEngine, ParleyError } from '@parley/sdk';
import type { TObject } from 'typebox';
import { Clone, Default } from 'typebox/value';
import { isDeeperThan } from '../../lib/nesting.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { checkConfig } from '../forms/check-config.ts';
import { closedSchema } from '../forms/closed-schema.ts';
import {
  openConfig,
  openSecrets,
  replaceSecrets,
  restoreSecrets,
  type StoredSecrets,
  sealSecrets,
} from '../secrets/secret-fields.ts';
import type { StoredCollection, StoredKnowledgeBase } from './knowledge-base.ts';
import { readFilters } from './retrieval-filters.ts';

type Settings = Record<string, unknown>;

/** Settings as a record keeps them. */
interface AcceptedSettings {
  /** With the mask of each secret. */
  settings: Settings;
  sealed_secrets: string | null;
}

/** Default number of passages. */
const defaultPassages = 5;
/** Most characters that settings may take as JSON. */
const maximumCharacters = 100_000;
const maximumDepth = 10;

/** Reads, keeps and opens the settings of knowledge bases, which their engines describe. */
export class BaseSettings {
  readonly #box: SecretBox;

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /**
   * Prepares submitted creation settings for storage, with defaults.
   * @param stored the collection that they follow, whose secrets they may retain; null when there is none
   * @throws ParleyError `invalid_request` with the path of each error, or `secret_required`
   */
  acceptCreation(
    { creationSchema }: KnowledgeEngine,
    given: Settings,
    collectionId: string,
    stored: StoredCollection | null,
  ): AcceptedSettings {
    const place = 'creation_settings';
    const settings = complete(creationSchema, given, place);
    const current =
      stored && this.#secretsOf(stored.creation_settings, stored.sealed_secrets, ofCollection(stored.collection_id));
    const [masked, secrets] = replaceSecrets(creationSchema, settings, current, place);
    return { settings: masked, sealed_secrets: sealSecrets(this.#box, secrets, ofCollection(collectionId)) };
  }

  /** Whether settings in clear would store documents in another way than a collection does. */
  isOther(
    engine: KnowledgeEngine,
    accepted: AcceptedSettings,
    collectionId: string,
    stored: StoredCollection,
  ): boolean {
    const record = { ...stored, collection_id: collectionId, creation_settings: accepted.settings };
    const other = this.creation(engine, { ...record, sealed_secrets: accepted.sealed_secrets });
    return !isDeepStrictEqual(other, this.creation(engine, stored));
  }

  /** Creation settings in clear, for use. */
  creation({ creationSchema }: KnowledgeEngine, stored: StoredCollection): Settings {
    const { creation_settings, sealed_secrets, collection_id } = stored;
    return openConfig(this.#box, creationSchema, creation_settings, sealed_secrets, ofCollection(collection_id));
  }

  /**
   * Prepares submitted retrieval settings for storage, unchanged, for defaults may change.
   * @throws ParleyError as {@link acceptCreation}
   */
  acceptRetrieval(
    { retrievalSchema }: KnowledgeEngine,
    given: Settings,
    base: { uuid: string; stored: Pick<StoredKnowledgeBase, 'retrieval_settings' | 'sealed_secrets'> | null },
  ): AcceptedSettings {
    const place = 'retrieval_settings';
    const { filters, ...settings } = given;
    complete(retrievalSchema, { top_k: defaultPassages, ...settings }, place);
    readFilters(filters, `${place}.filters`);
    const context = ofBase(base.uuid);
    const current = base.stored && this.#secretsOf(base.stored.retrieval_settings, base.stored.sealed_secrets, context);
    const [masked, secrets] = replaceSecrets(retrievalSchema, given, current, place);
    return { settings: masked, sealed_secrets: sealSecrets(this.#box, secrets, context) };
  }

  /**
   * Retrieval settings for one question.
   * @param given laid over those of the base
   * @throws ParleyError `invalid_request` with the path of each fault, or `secret_required` for a mask
   */
  retrieval({ retrievalSchema }: KnowledgeEngine, base: StoredKnowledgeBase, given: Settings) {
    const place = 'retrieval_settings';
    const { uuid, retrieval_settings, sealed_secrets } = base;
    // A masked value refers to the stored secret; nothing is written here.
    const current = this.#secretsOf(retrieval_settings, sealed_secrets, ofBase(uuid));
    const [masked, secrets] = replaceSecrets(retrievalSchema, { ...retrieval_settings, ...given }, current, place);
    const { filters, ...settings } = restoreSecrets(retrievalSchema, masked, secrets);
    const top_k = settings.top_k ?? defaultOf(retrievalSchema, 'top_k') ?? defaultPassages;
    const completed = complete(retrievalSchema, { ...settings, top_k }, place);
    return { settings: { ...completed, top_k: Number(top_k) }, filters: readFilters(filters, `${place}.filters`) };
  }

  /** Null when they were sealed with a key that is gone: then they have to be entered again. */
  #secretsOf(config: Settings, sealed: string | null, context: string): StoredSecrets | null {
    try {
      return { config, secrets: openSecrets(this.#box, sealed, context) };
    } catch {
      return null;
    }
  }
}

function complete(schema: TObject, given: Settings, place: string): Settings {
  if (isDeeperThan(given, maximumDepth) || JSON.stringify(given).length > maximumCharacters) {
    throw invalidFields([{ path: place, message: 'is too large' }]);
  }
  const settings = Default(schema, Clone(given)) as Settings;
  checkConfig(closedSchema(schema), settings, place);
  return settings;
}

function defaultOf(schema: TObject, field: string): unknown {
  return (schema.properties as Record<string, { default?: unknown }>)[field]?.default;
}

function ofCollection(collectionId: string): string {
  return `knowledge-collection/${collectionId}`;
}

function ofBase(uuid: string): string {
  return `knowledge-base/${uuid}`;
}

/** An engine's faults name its own fields; for who sent them they are below the settings. */
export function placed(error: unknown, place: string): unknown {
  if (!(error instanceof ParleyError) || error.reason !== 'invalid_request' || error.details === undefined)
    return error;
  return invalidFields(error.details.map((detail) => ({ ...detail, path: `${place}.${detail.path}` })));
}
