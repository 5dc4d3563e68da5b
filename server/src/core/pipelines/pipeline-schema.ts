import { invalidFields, type Runner, readConfig, type Stage } from '@parley/sdk';
import Type, { type TObject } from 'typebox';
import { Clone, Default } from 'typebox/value';
import { mergeObjects } from '../../lib/merge-objects.ts';
import { checkConfig } from '../forms/check-config.ts';
import { type FormTab, formTabs } from '../forms/form-fields.ts';
import { composePipelineSchema, type PipelineExtensionSet } from './compose-schema.ts';
import { unknownGroups, withGroupsOf, withUnknownGroups } from './config-schema.ts';
import { answerSettings } from './core-settings.ts';
import { type NamedModel, namedModels } from './named-models.ts';
import { type PipelineConfig, type StoredConfig, tabNames } from './pipeline-config.ts';
import { normalizeReferenceConfig } from './reference-config.ts';
import { readSharedSettings, sharedFields } from './shared-settings.ts';

/**
 * The configuration of pipelines with a set of extensions: its schema, its defaults, its form, and how it is read.
 * Settings of extensions that are not in the set are kept as they are.
 */
export class PipelineSchema {
  /** Four tabs of groups of fields, each field with its default. */
  readonly schema: TObject;
  /** Clients show, of the groups of `ai`, the one of the chosen runner. */
  readonly form: readonly FormTab[];
  readonly #stages: readonly Stage[];
  readonly #runners: ReadonlyMap<string, Runner>;
  readonly #sharedGroup: string;

  /** @throws Error when extensions claim the same field */
  constructor(extensions: PipelineExtensionSet) {
    this.schema = composePipelineSchema(extensions);
    this.form = formTabs(this.schema);
    this.#stages = extensions.stages;
    this.#runners = new Map(extensions.runners.map((runner) => [runner.name, runner]));
    this.#sharedGroup = extensions.sharedGroup;
  }

  /**
   * Merges a partial configuration over the defaults. It may be one of the reference system.
   * @param stored the configuration that it replaces; its groups of extensions that are not installed are kept
   * @throws ParleyError `invalid_request` with the path of each error, which starts with `config`
   */
  complete(partial: Record<string, unknown>, stored: StoredConfig | null = null): StoredConfig {
    const defaults = Default(this.schema, {}) as Record<string, unknown>;
    const given = normalizeReferenceConfig(this.schema, partial, this.#sharedGroup);
    const config: unknown = mergeObjects(Clone(defaults), given);
    checkConfig(stored === null ? this.schema : withGroupsOf(this.schema, stored), config, 'config');
    const complete = config as StoredConfig;
    // Any group of `ai` may be that of a runner, but not what would be a prototype once it is copied.
    if (Object.hasOwn(complete.ai, '__proto__')) {
      throw invalidFields([{ path: 'config.ai.__proto__', message: 'is not a known field' }], 'config');
    }
    return stored === null ? complete : this.#withUnknownGroups(complete, stored);
  }

  #withUnknownGroups(config: StoredConfig, stored: StoredConfig): StoredConfig {
    const kept = tabNames.map((tab) => [tab, { ...unknownGroups(this.schema, stored, tab), ...config[tab] }]);
    return Object.fromEntries(kept) as StoredConfig;
  }

  /**
   * The schema of one configuration, with one for the groups of missing extensions.
   * @param secrets paths of fields whose values are stored as secrets
   */
  of(config: StoredConfig, secrets: readonly string[] = []): TObject {
    return withUnknownGroups(this.schema, config, secrets);
  }

  /** The language models that a configuration names. */
  models(config: StoredConfig): NamedModel[] {
    return namedModels(this.schema, config);
  }

  /** Reads a stored configuration, with its secrets in clear, for the messages of a pipeline. */
  read(config: StoredConfig): PipelineConfig {
    const name = String(config.ai.runner?.runner ?? '');
    const runner = this.#runners.get(name);
    const schema = runner === undefined ? null : (runner.config ?? noSettings);
    return {
      runner: {
        name,
        schema,
        settings: schema === null ? null : (readConfig(schema, config.ai[name]) as Record<string, unknown>),
      },
      shared: readSharedSettings(readConfig(sharedFields, config.ai[this.#sharedGroup])),
      answers: readConfig(answerSettings, config.output.misc),
      stages: new Map(
        this.#stages.flatMap((stage) =>
          stage.config === undefined ? [] : [[stage.name, readGroups(stage.config, config)] as const],
        ),
      ),
    };
  }
}

const noSettings = Type.Object({});

/** The groups of the tabs that a stage has settings in. */
function readGroups(schema: TObject, config: StoredConfig): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema.properties as Record<keyof StoredConfig, TObject>).map(([tab, { properties }]) => [
      tab,
      Object.fromEntries(
        Object.entries(properties as Record<string, TObject>).map(([group, fields]) => [
          group,
          readConfig(fields, config[tab as keyof StoredConfig]?.[group]),
        ]),
      ),
    ]),
  );
}
