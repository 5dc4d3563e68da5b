import type { LanguageModelV4CallOptions, LanguageModelV4FilePart, LanguageModelV4Message } from '@ai-sdk/provider';
import { UnsupportedFunctionalityError } from '@ai-sdk/provider';

/** A message as Ollama has it. */
export interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string;
  /** Base64. */
  images?: string[];
  tool_calls?: { function: { name: string; arguments: unknown } }[];
  tool_name?: string;
}

/** The conversation as Ollama takes it. @throws UnsupportedFunctionalityError for files that are no images */
export function toOllamaMessages(prompt: LanguageModelV4CallOptions['prompt']): OllamaMessage[] {
  return prompt.flatMap(toMessages);
}

function toMessages(message: LanguageModelV4Message): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user': {
      const images = message.content.filter((part) => part.type === 'file').map(imageOf);
      return [{ role: 'user', content: textOf(message.content), ...(images.length === 0 ? {} : { images }) }];
    }
    case 'assistant': {
      const thinking = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
      const calls = message.content
        .filter((part) => part.type === 'tool-call')
        .map((part) => ({ function: { name: part.toolName, arguments: part.input } }));
      return [
        {
          role: 'assistant',
          content: textOf(message.content),
          ...(thinking === '' ? {} : { thinking }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
      ];
    }
    case 'tool':
      return message.content
        .filter((part) => part.type === 'tool-result')
        .map((part) => ({ role: 'tool', tool_name: part.toolName, content: resultOf(part.output) }));
  }
}

function textOf(parts: readonly { type: string; text?: string }[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .map(({ text = '' }) => text)
    .join('\n');
}

function imageOf({ mediaType, data }: LanguageModelV4FilePart): string {
  if (!mediaType.startsWith('image') || data.type !== 'data') {
    throw new UnsupportedFunctionalityError({ functionality: `files of the type ${mediaType}` });
  }
  return typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
}

type ToolOutput = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];

function resultOf(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? 'The tool was not allowed to run.';
    case 'content':
      return textOf(output.value);
  }
}
