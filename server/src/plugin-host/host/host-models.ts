import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  type ModelCall,
  type OpenedModel,
  ParleyError,
  type PluginGenerated,
  type PluginGeneration,
  type PromptMessage,
} from '@parley/sdk';
import { askedBy } from '../../core/plugins/host/asked-by.ts';
import type { HostHandlers, HostRequest } from '../../core/plugins/host/plugin-host-api.ts';
import { RequestFailure, requestModel } from '../../kit/model-requests/model-request.ts';

export interface HostModelsOptions {
  openModel: (uuid: string) => Promise<OpenedModel>;
  /** @returns null when there is no such model */
  describe: (uuid: string) => Promise<{ uuid: string; name: string; kind: 'llm' | 'embedding' } | null>;
  embed: (
    model: string,
    texts: readonly string[],
    options: {
      purpose: 'document' | 'query';
      plugin_id: string;
      asked_by?: { session_id: string; message_uuid: string };
      signal: AbortSignal;
    },
  ) => Promise<Float32Array[]>;
  /** Records a call that is for no message. */
  record: (pluginId: string, call: ModelCall) => void;
  /** Longest silence of a model, milliseconds. */
  silenceTimeoutMs: number;
}

/** Most keys of a provider that one call tries. */
const maximumKeys = 5;

type ModelMethods = 'models_list' | 'models_generate' | 'models_stream' | 'models_embed';

/** Calls models for plugins: those that an operator chose, recorded with the message or under the name of the plugin. */
export function hostModels(options: HostModelsOptions): Pick<HostHandlers, ModelMethods> {
  const generate = (parameters: PluginGeneration, request: HostRequest) => {
    requireGranted(parameters.model, request);
    return callModel(parameters, request, options);
  };
  return {
    models_list: async (_, { plugin }) => {
      const models = await Promise.all(plugin.grants.models.map((uuid) => options.describe(uuid)));
      return { result: models.filter((model) => model !== null) };
    },
    models_generate: async (parameters, request) => {
      const answer = generate(parameters, request);
      for (;;) {
        const next = await answer.next();
        if (next.done) return { result: next.value };
      }
    },
    models_stream: async (parameters, request) => ({ result: null, items: generate(parameters, request) }),
    models_embed: async ({ model, texts, purpose }, request) => {
      requireGranted(model, request);
      const { plugin, scope, signal } = request;
      const asked_by = askedBy(scope);
      const vectors = await options.embed(model, texts, { purpose, plugin_id: plugin.id, ...asked_by, signal });
      return { result: vectors.map((vector) => [...vector]) };
    },
  };
}

/** One request, with another key when a provider refuses one. */
async function* callModel(
  { model, messages, max_tokens, temperature }: PluginGeneration,
  { plugin, scope, signal }: HostRequest,
  { openModel, record, silenceTimeoutMs }: HostModelsOptions,
): AsyncGenerator<{ text: string }, PluginGenerated> {
  const prompt = messages.map(promptMessage);
  const settings = {
    ...(max_tokens === undefined ? {} : { maxOutputTokens: max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openModel(model);
    let last: ModelCall | null = null;
    let isStarted = false;
    const request = requestModel(opened, {
      messages: prompt,
      settings,
      tools: null,
      signal,
      silenceTimeoutMs,
      readMedia: () => Promise.reject(new ParleyError('not_found', 'Files of models are not read for plugins')),
      note: null,
      separator: '',
      mayBeEmpty: false,
      record: (call) => {
        last = call;
        if (scope === null) record(plugin.id, call);
        else scope.addCall({ ...call, plugin_id: plugin.id });
      },
    });
    try {
      for (;;) {
        const next = await request.next();
        if (next.done) {
          opened.report(null);
          // Recorded before the request ends.
          const { input_tokens, output_tokens } = last as unknown as ModelCall;
          return { text: next.value.text, input_tokens, output_tokens };
        }
        if (next.value.type !== 'text') continue;
        isStarted = true;
        yield { text: next.value.text };
      }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      const { failure } = error;
      opened.report(failure);
      const isKeyRefused = failure.reason === 'quota' || failure.reason === 'provider_unauthorized';
      if (isStarted || !isKeyRefused || attempt >= Math.min(opened.keys, maximumKeys)) throw failure;
    } finally {
      await request.return(undefined as never);
    }
  }
}

function promptMessage({ role, content }: PromptMessage): LanguageModelV4Prompt[number] {
  return role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] };
}

function requireGranted(model: string, { plugin }: HostRequest): void {
  if (plugin.grants.models.includes(model)) return;
  throw new ParleyError('plugin_permission_denied', 'The plugin may not call this model');
}
