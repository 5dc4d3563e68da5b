import { ParleyError, type Runner, type RunnerDelta } from '@parley/sdk';
import Type, { type TObject } from 'typebox';
import { Check } from 'typebox/value';
import type { ActivePlugin } from '../active-plugin.ts';
import { checkChain, filesOf } from '../listeners/verdicts.ts';
import { attemptOf, hostFor, longestCall, type PluginCalls } from './plugin-calls.ts';

const closed = { additionalProperties: false } as const;
const text = Type.String({ maxLength: 1_000_000 });
const Delta = Type.Union([
  Type.Object({ type: Type.Enum(['text', 'reasoning']), text }, closed),
  Type.Object({ type: Type.Literal('attachment'), element: Type.Unknown() }, closed),
]);

/** Longest answer, UTF-16 units. */
const longestAnswer = 4_000_000;

/** The runners of a plugin. */
export function runnersOf(plugin: ActivePlugin, calls: PluginCalls): Runner[] {
  return (plugin.manifest.contributes.runners ?? []).map(({ name, label, config }) => ({
    name,
    label,
    // JSON Schema is what TypeBox builds.
    ...(config === undefined ? {} : { config: config as unknown as TObject }),
    answer: (request) => answer(plugin, name, request, calls),
  }));
}

async function* answer(
  plugin: ActivePlugin,
  name: string,
  { message, signal, ...asked }: Parameters<Runner['answer']>[0],
  calls: PluginCalls,
): AsyncIterable<RunnerDelta> {
  const scope = calls.scopeOf(message.uuid, plugin.id, `runner:${name}`);
  const { config, prompt, history, text, message_chain, knowledge_bases, instructions, platform, variables } = asked;
  const deltas = calls.caller.stream({
    plugin: plugin.id,
    method: 'runner',
    parameters: {
      message,
      attempt: attemptOf(scope),
      name,
      request: {
        config,
        prompt,
        history,
        text,
        message_chain,
        knowledge_bases,
        variables,
        ...(instructions === undefined ? {} : { instructions }),
        ...(platform === undefined ? {} : { platform }),
      },
    },
    timeoutMs: longestCall,
    signal,
    host: hostFor(calls, plugin.id, scope),
  });
  let characters = 0;
  for await (const delta of deltas) {
    if (!Check(Delta, delta)) throw new ParleyError('plugin_response_invalid', `The runner ${name} gave no answer`);
    if (delta.type === 'attachment') {
      const [element] = checkChain([delta.element], filesOf(message.message_chain));
      if (element !== undefined) yield { type: 'attachment', element };
      continue;
    }
    characters += delta.text.length;
    if (characters > longestAnswer) throw new ParleyError('too_large', `The answer of the runner ${name} is too long`);
    yield delta;
  }
}
