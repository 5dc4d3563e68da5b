import { invalidFields } from '@parley/sdk';
import type { Author } from '../accounts/author.ts';
import { checkConfig } from '../forms/check-config.ts';
import { withoutSecrets } from '../secrets/secret-fields.ts';
import type { ExtensionsPreferences } from './pipeline.ts';
import { type ImportPipeline, PipelineFile, pipelineFileFormat, pipelineFileVersion } from './pipeline-file.ts';
import type { PipelineSchema } from './pipeline-schema.ts';
import type { PipelineService } from './pipeline-service.ts';
import type { VersionAuthor } from './pipeline-version.ts';
import { isPluginId } from './used-plugins.ts';

interface NamedRecord {
  uuid: string;
  name: string;
}

export interface PipelineFilesOptions {
  schema: () => PipelineSchema;
  /** Records that pipelines refer to. */
  models: () => Promise<NamedRecord[]>;
  knowledgeBases: () => Promise<NamedRecord[]>;
  mcpServers: () => Promise<NamedRecord[]>;
}

/** What each kind of reference is called in errors. */
const kinds = { models: 'language model', knowledge_bases: 'knowledge base', mcp_servers: 'MCP server' } as const;
type Kind = keyof typeof kinds;

/** Pipelines as files, to move them to another installation. Reading one executes nothing: it is data of a closed schema. */
export class PipelineFiles {
  readonly #pipelines: Pick<PipelineService, 'get' | 'create'>;
  readonly #options: PipelineFilesOptions;

  constructor(pipelines: Pick<PipelineService, 'get' | 'create'>, options: PipelineFilesOptions) {
    this.#pipelines = pipelines;
    this.#options = options;
  }

  /** @throws ParleyError `not_found` */
  async export(uuid: string): Promise<PipelineFile> {
    const { name, description, emoji, config: masked, extensions_preferences } = await this.#pipelines.get(uuid);
    const schema = this.#options.schema();
    const config = withoutSecrets(schema.of(masked), masked, '');
    const known = await this.#known();
    const named = (kind: Kind, uuids: readonly string[]) =>
      Object.fromEntries(uuids.map((one) => [one, known[kind].get(one) ?? '']));
    return {
      format: pipelineFileFormat,
      format_version: pipelineFileVersion,
      pipeline: { name, description, emoji, config, extensions_preferences },
      references: {
        models: named('models', [...new Set(schema.models(masked).map((one) => one.uuid))]),
        knowledge_bases: named('knowledge_bases', schema.read(masked).shared.knowledgeBases),
        mcp_servers: named('mcp_servers', serversOf(extensions_preferences)),
      },
    };
  }

  /**
   * Creates a pipeline from a file.
   * @returns its uuid
   * @throws ParleyError `invalid_request` with the field, also for references without a replacement; else as creating a
   * pipeline
   */
  async import(
    { file, replacements = {} }: ImportPipeline,
    { author, by }: { author: Author; by: VersionAuthor },
  ): Promise<string> {
    requireReadable(file);
    checkConfig(PipelineFile, file, 'file');
    const replaced = new Map(Object.entries(replacements).map(([from, to]) => [from.toLowerCase(), to]));
    const known = await this.#known();
    const missing = Object.entries(file.references).flatMap(([kind, names]) =>
      Object.entries(names).flatMap(([uuid, name]) =>
        known[kind as Kind].has(uuid.toLowerCase()) || replaced.has(uuid.toLowerCase())
          ? []
          : [
              {
                path: `replacements.${uuid}`,
                message: `there is no ${kinds[kind as Kind]} "${name}": name another one`,
                rule: 'missing',
              },
            ],
      ),
    );
    if (missing.length > 0) throw invalidFields(missing.slice(0, 100));
    const { config, extensions_preferences, ...fields } = file.pipeline;
    return this.#pipelines.create(
      {
        ...fields,
        config: replacedIn(config, replaced) as Record<string, unknown>,
        extensions_preferences: withServers(extensions_preferences, replaced),
      },
      { author, by },
    );
  }

  async #known(): Promise<Record<Kind, Map<string, string>>> {
    const { models, knowledgeBases, mcpServers } = this.#options;
    const namesOf = (records: NamedRecord[]) => new Map(records.map(({ uuid, name }) => [uuid, name]));
    return {
      models: namesOf(await models()),
      knowledge_bases: namesOf(await knowledgeBases()),
      mcp_servers: namesOf(await mcpServers()),
    };
  }
}

/** @throws ParleyError `invalid_request`, before fields of other versions are reported one by one */
function requireReadable({ format, format_version: version }: Record<string, unknown>): void {
  if (format !== pipelineFileFormat) {
    throw invalidFields([
      {
        path: 'file.format',
        message: `must be ${pipelineFileFormat}: this is no exported pipeline`,
        rule: 'pipelineFile',
      },
    ]);
  }
  if (version !== pipelineFileVersion) {
    const message = `must be ${pipelineFileVersion}: the file was exported by another version of Parley`;
    throw invalidFields([{ path: 'file.format_version', message, rule: 'pipelineFileVersion' }]);
  }
}

function serversOf({ mcp_servers, mcp_tool_users }: ExtensionsPreferences): string[] {
  const users = Object.keys(mcp_tool_users).filter((id) => !isPluginId(id));
  return [...new Set([...mcp_servers, ...users].map((uuid) => uuid.toLowerCase()))];
}

/** References are the only texts that consist of a uuid. Replaced by an empty text, they vanish from lists. */
function replacedIn(value: unknown, replaced: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replaced.get(value.toLowerCase()) ?? value;
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const next = replacedIn(item, replaced);
      return next === '' && item !== '' ? [] : [next];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replacedIn(inner, replaced)]));
}

function withServers(preferences: ExtensionsPreferences, replaced: ReadonlyMap<string, string>): ExtensionsPreferences {
  const serverOf = (uuid: string) => replaced.get(uuid.toLowerCase()) ?? uuid;
  return {
    ...preferences,
    mcp_servers: preferences.mcp_servers.map(serverOf).filter((uuid) => uuid !== ''),
    mcp_tool_users: Object.fromEntries(
      Object.entries(preferences.mcp_tool_users).flatMap(([uuid, users]) =>
        serverOf(uuid) === '' ? [] : [[serverOf(uuid), users]],
      ),
    ),
  };
}
