import { isDeepStrictEqual } from 'node:util';
import { invalidFields, ParleyError, problemError } from '@parley/sdk';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressDecision, AddressRules } from '../addresses/address-rules.ts';
import { addressesIn, type FoundAddress } from '../addresses/addresses-in.ts';
import { recordTag } from '../records/record-tag.ts';
import { openSecrets, replaceSecrets, type SecretValues, sealSecrets } from '../secrets/secret-fields.ts';
import { newPatternFaults, type PatternCheck, type PatternFault, patternFaults } from './named-patterns.ts';
import type { StoredPipeline, UpdatePipeline } from './pipeline.ts';
import type { StoredConfig } from './pipeline-config.ts';
import type { PipelineSchema } from './pipeline-schema.ts';
import type { PipelineChanges, PipelineRefusal } from './pipeline-store.ts';
import { boundOf } from './server-bindings.ts';

export interface PipelineChangerOptions {
  maximumPipelines: number;
  addresses: AddressRules;
  /** Validates a regular expression of a new configuration. */
  checkPattern: PatternCheck;
  schema: () => PipelineSchema;
}

/** A validated change, to be applied where the record is locked. */
export interface PreparedChange {
  /** The complete new configuration; undefined if it stays. */
  config: StoredConfig | undefined;
  /**
   * @param stored the state whose masked secrets and approved addresses stay
   * @throws ParleyError as {@link PipelineChanger.prepare}
   */
  of: (stored: StoredPipeline) => Omit<PipelineChanges, 'updated_at'>;
}

/** Turns requests into changes of a pipeline or its draft. */
export class PipelineChanger {
  readonly #secrets: SecretBox;
  readonly #options: PipelineChangerOptions;

  constructor(secrets: SecretBox, options: PipelineChangerOptions) {
    this.#secrets = secrets;
    this.#options = options;
  }

  /**
   * @param before the configuration that is replaced; null when there is no such pipeline
   * @throws ParleyError `invalid_request`, `secret_required`, `private_address` or `scope_required`
   */
  async prepare(request: UpdatePipeline, before: StoredConfig | null, author: Author): Promise<PreparedChange> {
    const { config: partial, extensions_preferences: preferences, ...columns } = request;
    const schema = this.#options.schema();
    const config = partial === undefined ? undefined : schema.complete(partial, before);
    const faults = config === undefined ? [] : await patternFaults(schema.schema, config, this.#options.checkPattern);
    const decide = config === undefined ? undefined : await this.decide(config, author);
    return {
      config,
      of: (stored) => ({
        ...columns,
        ...(preferences === undefined ? {} : { extensions_preferences: boundOf(stored, preferences, author) }),
        ...(config === undefined || decide === undefined
          ? {}
          : { configuration: this.#replaceConfig(stored, config, { faults, decide }) }),
      }),
    };
  }

  decide(config: StoredConfig, author: Author): Promise<AddressDecision> {
    return this.#options.addresses.decide(this.#addressesOf(config), author);
  }

  openSecrets({ uuid, sealed_secrets }: Pick<StoredPipeline, 'uuid' | 'sealed_secrets'>): SecretValues {
    return openSecrets(this.#secrets, sealed_secrets, secretContext(uuid));
  }

  /** @param config the configuration that was to be written, if any */
  require(refusal: PipelineRefusal | null, config?: StoredConfig): void {
    if (refusal === null) return;
    switch (refusal.reason) {
      case 'not_found':
        throw problemError('pipeline_not_found');
      case 'limit_reached':
        throw problemError('too_many_pipelines', { maximum: String(this.#options.maximumPipelines) });
      case 'default_pipeline':
        throw new ParleyError(
          'default_pipeline',
          'The default pipeline cannot be deleted; make another one the default first',
        );
      case 'in_use':
        throw new ParleyError('in_use', 'The pipeline is in use by bots', {
          details: refusal.bots.map(({ uuid, name }) => ({ path: `bots/${uuid}`, message: name })),
        });
      case 'unknown_models': {
        const unknown = (config === undefined ? [] : this.#options.schema().models(config)).filter(({ uuid }) =>
          refusal.models.includes(uuid),
        );
        throw invalidFields(
          unknown.map(({ path }) => ({
            path: `config.${path}`,
            message: 'there is no such language model',
            rule: 'missing',
          })),
          'config',
        );
      }
    }
  }

  #replaceConfig(
    stored: StoredPipeline,
    config: StoredConfig,
    { faults, decide }: { faults: readonly PatternFault[]; decide: AddressDecision },
  ): NonNullable<PipelineChanges['configuration']> {
    requirePatterns(faults, stored.config);
    const schema = this.#options.schema();
    const before = { config: stored.config, secrets: this.openSecrets(stored) };
    const [masked, secrets] = replaceSecrets(schema.of(config, Object.keys(before.secrets)), config, before, 'config');
    // What was sealed stays as it is where no secret was given, so that writing back what was read changes nothing.
    const isKept = isDeepStrictEqual([masked, secrets], [config, before.secrets]);
    const addresses = this.#addressesOf(stored.config).map(({ address }) => address);
    return {
      config: masked,
      models: modelsOf(schema, config),
      sealed_secrets: isKept ? stored.sealed_secrets : sealSecrets(this.#secrets, secrets, secretContext(stored.uuid)),
      admin_addresses: decide({ addresses, admin_addresses: stored.admin_addresses }),
    };
  }

  #addressesOf(config: StoredConfig): FoundAddress[] {
    return addressesIn(this.#options.schema().of(config), config, 'config');
  }
}

/** Which pipeline is the default one is changed apart from its content. */
export function tagOf(stored: StoredPipeline): string {
  return recordTag(stored, ['for_version', 'version', 'is_default', 'stages', 'admin_addresses']);
}

/** The uuids of the language models that a configuration names, each once. */
export function modelsOf(schema: PipelineSchema, config: StoredConfig): string[] {
  return [...new Set(schema.models(config).map(({ uuid }) => uuid))];
}

/** @throws ParleyError `invalid_request` when there are regular expressions that cannot be used and were not stored */
export function requirePatterns(faults: readonly PatternFault[], stored: StoredConfig | null): void {
  const details = newPatternFaults(faults, stored);
  if (details.length > 0) throw invalidFields(details.slice(0, 20));
}

export function secretContext(uuid: string): string {
  return `pipeline/${uuid}`;
}
