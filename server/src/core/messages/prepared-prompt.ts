import type { AllowedTools, ConversationTurn, PluginEvents, RunnerRequest } from '@parley/sdk';

/** What a plugin may change before a runner is asked. */
export type PromptParts = Pick<RunnerRequest, 'prompt' | 'history' | 'knowledge_bases'> & { tools: AllowedTools };

/** Has plugins change the prompt and what belongs to it. Tools that they leave out cannot be called either. */
export async function preparedPrompt(
  { prompt, history, knowledge_bases, tools }: PromptParts,
  prepare: (event: PluginEvents['prompt']) => Promise<PluginEvents['prompt']>,
): Promise<PromptParts> {
  const names = (await tools.list()).map(({ name }) => name);
  const changed = await prepare({
    prompt: [...prompt],
    history,
    knowledge_bases: [...knowledge_bases],
    tools: names,
  });
  return {
    prompt: changed.prompt,
    history: changed.history.map(completeTurn),
    knowledge_bases: changed.knowledge_bases,
    tools: changed.tools === names ? tools : onlyTools(tools, new Set(changed.tools)),
  };
}

/** A plugin may give a turn as a text alone. */
function completeTurn(turn: Omit<ConversationTurn, 'message_chain'> & Partial<ConversationTurn>): ConversationTurn {
  return { ...turn, message_chain: turn.message_chain ?? [{ type: 'Plain', text: turn.text }] };
}

function onlyTools(tools: AllowedTools, names: ReadonlySet<string>): AllowedTools {
  return {
    list: async () => (await tools.list()).filter(({ name }) => names.has(name)),
    call: async (name, parameters, signal) =>
      names.has(name)
        ? tools.call(name, parameters, signal)
        : { text: `There is no tool ${JSON.stringify(name.slice(0, 64))}`, failed: true },
  };
}
