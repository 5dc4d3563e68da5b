import type { Command, Extension, KnowledgeEngine, ModelRequester, Parser, Runner, Stage } from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import { type Identified, Registry } from '../../lib/registry.ts';
import { PipelineSchema } from '../pipelines/pipeline-schema.ts';

/** Extensions that belong together, such as those of a package. */
export type ExtensionSet = Omit<Extension, 'sdk'>;

/** The extensions that there are now, by kind, and the configuration of pipelines that follows from them. */
export class ExtensionRegistries {
  readonly platforms = new Registry<InternalPlatform>();
  readonly modelRequesters = new Registry<ModelRequester>();
  readonly runners = new Registry<Runner>();
  readonly stages = new Registry<Stage>();
  readonly commands = new Registry<Command>();
  readonly parsers = new Registry<Parser>();
  readonly knowledgeEngines = new Registry<KnowledgeEngine>();
  readonly #sharedGroup: string;
  #pipelineSchema: PipelineSchema;

  /** @param sharedGroup the group of `ai` with the settings that all runners share */
  constructor(sharedGroup: string) {
    this.#sharedGroup = sharedGroup;
    this.#pipelineSchema = this.#compose();
  }

  get pipelineSchema(): PipelineSchema {
    return this.#pipelineSchema;
  }

  /**
   * Adds all of a set.
   * @throws Error when one of them has a name or a setting that exists already; then none of them is added
   */
  add(set: ExtensionSet): void {
    const added: (() => void)[] = [];
    try {
      for (const [registry, extension] of this.#pairs(set)) {
        registry.add(extension);
        added.push(() => registry.remove(extension));
      }
      this.#recompose(set);
    } catch (error) {
      for (const undo of added) undo();
      throw error;
    }
  }

  /** Removes those of a set that are there. */
  remove(set: ExtensionSet): void {
    for (const [registry, extension] of this.#pairs(set)) registry.remove(extension);
    this.#recompose(set);
  }

  #pairs(set: ExtensionSet): [registry: Registry<Identified>, extension: Identified][] {
    return (Object.keys(set) as (keyof ExtensionSet)[]).flatMap((kind) =>
      (set[kind] ?? []).map((extension): [Registry<Identified>, Identified] => [
        this[kind] as unknown as Registry<Identified>,
        extension,
      ]),
    );
  }

  /** Only runners and stages have settings of pipelines. */
  #recompose({ runners, stages }: ExtensionSet): void {
    if (runners !== undefined || stages !== undefined) this.#pipelineSchema = this.#compose();
  }

  #compose(): PipelineSchema {
    return new PipelineSchema({
      runners: this.runners.list(),
      stages: this.stages.list(),
      sharedGroup: this.#sharedGroup,
    });
  }
}
