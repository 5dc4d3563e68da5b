import type { OpenedModel } from '@parley/sdk';
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';

/** A tool that a model wants to be called. */
export interface WantedCall {
  id: string;
  name: string;
  /** As the model gave it; a text where that was no JSON. */
  input: unknown;
}

/** What a model wanted to know and what it was told. */
export interface ToolRound {
  /** The model that asked. */
  model_uuid: string;
  /** What it said, calls included, with everything that it wants to be shown again. */
  said: AssistantModelMessage[];
  calls: (WantedCall & { result: string; failed: boolean })[];
}

/**
 * A round as a model is shown it. What one model wants to be shown again means nothing to another, and one that calls no
 * tools is told of the calls of another in plain words.
 */
export function messagesOfRound(round: ToolRound, opened: Pick<OpenedModel, 'uuid' | 'abilities'>): ModelMessage[] {
  if (!opened.abilities.includes('func_call')) return inWords(round);
  const said = round.model_uuid === opened.uuid ? round.said : [foreign(round)];
  return [...said, resultsOf(round)];
}

function resultsOf({ calls }: ToolRound): ToolModelMessage {
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

function foreign(round: ToolRound): AssistantModelMessage {
  const text = textOf(round);
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...round.calls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: typeof input === 'object' && input !== null ? input : {},
      })),
    ],
  };
}

function inWords(round: ToolRound): ModelMessage[] {
  const text = textOf(round);
  const results = round.calls.map(({ name, input, result }) => `${name}(${JSON.stringify(input) ?? ''}):\n${result}`);
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    { role: 'user', content: `[What tools answered that were called meanwhile]\n\n${results.join('\n\n')}` },
  ];
}

function textOf({ said }: ToolRound): string {
  return said
    .flatMap(({ content }) =>
      typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')),
    )
    .join('')
    .trim();
}
