import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { OpenedModel } from '@parley/sdk';
import type { AssistantContent } from '../../kit/model-requests/assistant-message.ts';
import type { WantedCall } from '../../kit/model-requests/model-request.ts';

/** Tool calls of a model and their results. */
export interface ToolRound {
  /** The model that made the calls. */
  model_uuid: string;
  /** Its message, including calls and provider-specific content to send back. */
  said: AssistantContent;
  calls: (WantedCall & { result: string; failed: boolean })[];
}

/**
 * The messages of a round for a model. Provider-specific content of another model is omitted; a model without tool
 * support gets tool calls as plain text.
 */
export function messagesOfRound(
  round: ToolRound,
  opened: Pick<OpenedModel, 'uuid' | 'abilities'>,
): LanguageModelV4Prompt {
  if (!opened.abilities.includes('func_call')) return inWords(round);
  const said = round.model_uuid === opened.uuid ? round.said : foreign(round);
  return [{ role: 'assistant', content: said }, resultsOf(round)];
}

function resultsOf({ calls }: ToolRound): LanguageModelV4Message {
  return {
    role: 'tool',
    content: calls.map(({ id, name, result, failed }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: failed ? 'error-text' : 'text', value: result },
    })),
  };
}

function foreign(round: ToolRound): AssistantContent {
  const text = textOf(round);
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...round.calls.map(({ id, name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: typeof input === 'object' && input !== null ? input : {},
    })),
  ];
}

function inWords(round: ToolRound): LanguageModelV4Prompt {
  const text = textOf(round);
  const results = round.calls.map(({ name, input, result }) => `${name}(${JSON.stringify(input) ?? ''}):\n${result}`);
  const told = `[What tools answered that were called meanwhile]\n\n${results.join('\n\n')}`;
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: [{ type: 'text' as const, text }] }]),
    { role: 'user', content: [{ type: 'text', text: told }] },
  ];
}

function textOf({ said }: ToolRound): string {
  return said
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();
}
