import {
  type I18nText,
  type KnowledgeEngine,
  type KnowledgeEngineCapability,
  ParleyError,
  type Parser,
} from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';
import { type FormField, formFields } from '../forms/form-fields.ts';

/** An engine as it is shown. */
export interface EngineView {
  plugin_id: string;
  name: I18nText;
  description: I18nText;
  capabilities: KnowledgeEngineCapability[];
  creation_schema: FormField[];
  retrieval_schema: FormField[];
}

/** A parser as it is shown. */
export interface ParserView {
  plugin_id: string;
  plugin_author: string;
  plugin_name: string;
  name: I18nText;
  description: I18nText;
  supported_mime_types: string[];
  /** In lower case, without the dot. */
  extensions: string[];
}

/** The knowledge engines and parsers that there are. */
export class EngineCatalog {
  readonly #engines: Registry<KnowledgeEngine>;
  readonly #parsers: Registry<Parser>;

  constructor(engines: Registry<KnowledgeEngine>, parsers: Registry<Parser>) {
    this.#engines = engines;
    this.#parsers = parsers;
  }

  engines(): EngineView[] {
    return this.#engines.list().map(shown);
  }

  /** @throws ParleyError `not_found` */
  engine(pluginId: string): EngineView {
    const engine = this.find(pluginId);
    if (engine === null) throw new ParleyError('not_found', 'Knowledge engine not found');
    return shown(engine);
  }

  /** @param mediaType only parsers that support it; all when omitted */
  parsers(mediaType?: string): ParserView[] {
    return this.#parsers
      .list()
      .filter(({ media_types }) => mediaType === undefined || media_types.includes(mediaType))
      .map(({ plugin_id, name, description, media_types, extensions }) => {
        const [plugin_author = '', plugin_name = ''] = plugin_id.split('/');
        return {
          plugin_id,
          plugin_author,
          plugin_name,
          name,
          description,
          supported_mime_types: [...media_types],
          extensions: [...extensions],
        };
      });
  }

  /** The engine; null for an unknown name. */
  find(pluginId: string): KnowledgeEngine | null {
    return this.#engines.get(pluginId) ?? null;
  }

  /** The parser; null for an unknown name. */
  findParser(pluginId: string): Parser | null {
    return this.#parsers.get(pluginId) ?? null;
  }

  /** Of the engine that is taken where none is named. */
  get defaultEngineId(): string {
    const [first] = this.#engines.list();
    if (first === undefined) throw new ParleyError('not_found', 'There is no knowledge engine');
    return first.plugin_id;
  }
}

function shown({
  plugin_id,
  name,
  description,
  capabilities,
  creationSchema,
  retrievalSchema,
}: KnowledgeEngine): EngineView {
  return {
    plugin_id,
    name,
    description,
    capabilities: [...capabilities],
    creation_schema: formFields(creationSchema),
    retrieval_schema: formFields(retrievalSchema),
  };
}
