import { ParleyError, type Tool, type ToolCallContext, type ToolResult, type ToolSource } from '@parley/sdk';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { extensionOfPlugin } from '../../pipelines/used-plugins.ts';
import type { ActivePlugin } from '../active-plugin.ts';
import { checkChain, filesOf } from '../listeners/verdicts.ts';
import { attemptOf, hostFor, longestCall, type PluginCalls, shortName } from './plugin-calls.ts';

type DeclaredTool = NonNullable<ActivePlugin['manifest']['contributes']['tools']>[number];

const Result = Type.Object(
  { text: Type.String(), attachments: Type.Optional(Type.Array(Type.Unknown())) },
  { additionalProperties: false },
);

/** The tools of all plugins. */
export class PluginToolSource implements ToolSource {
  readonly name = 'plugins';
  readonly #calls: PluginCalls;
  /** One object for each declared tool: a new object would have its schema compiled again. */
  readonly #made = new WeakMap<DeclaredTool, Tool>();

  constructor(calls: PluginCalls) {
    this.#calls = calls;
  }

  async tools(): Promise<Tool[]> {
    return this.#calls.plugins
      .list()
      .flatMap((plugin) => (plugin.manifest.contributes.tools ?? []).map((tool) => this.#toolOf(plugin, tool)));
  }

  #toolOf(plugin: ActivePlugin, declared: DeclaredTool): Tool {
    const known = this.#made.get(declared);
    if (known !== undefined) return known;
    const { name, description, parameters, read_only = false } = declared;
    const tool: Tool = {
      name,
      prefix: shortName(plugin),
      extension: extensionOfPlugin(plugin.id),
      // The consent of the admin is to this as well.
      readOnly: read_only,
      description,
      parameters,
      call: (given, context) => this.#call(plugin, name, given, context),
    };
    this.#made.set(declared, tool);
    return tool;
  }

  async #call(
    plugin: ActivePlugin,
    name: string,
    parameters: Record<string, unknown>,
    { message, signal, progress }: ToolCallContext,
  ): Promise<ToolResult> {
    const scope = this.#calls.scopeOf(message.uuid, plugin.id, `tool:${name}`);
    const { answer } = hostFor(this.#calls, plugin.id, scope);
    const result = await this.#calls.caller.call({
      plugin: plugin.id,
      method: 'tool',
      parameters: { message, attempt: attemptOf(scope), name, parameters },
      // The gateway ends the call earlier.
      timeoutMs: longestCall,
      signal,
      host: { answer, notify: progress },
    });
    if (!Check(Result, result)) throw new ParleyError('plugin_response_invalid', `The tool ${name} gave no result`);
    const { text, attachments = [] } = result;
    if (attachments.length === 0) return { text };
    return { text, attachments: checkChain(attachments, filesOf(message.message_chain)) };
  }
}
