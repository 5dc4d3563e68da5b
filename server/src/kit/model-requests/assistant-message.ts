import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResult,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { parseToolInput, type ToolInput } from './tool-input.ts';

/** Content of a message of a model, as it is sent back to it. */
export type AssistantContent = (LanguageModelV4Message & { role: 'assistant' })['content'];
type Block = AssistantContent[number] & { type: 'text' | 'reasoning' };
type Part = LanguageModelV4StreamPart;

/**
 * Collects what a model says, with what its provider attached to each part and requires to be sent back, such as
 * signatures of reasoning.
 */
export class AssistantMessage {
  readonly #content: AssistantContent = [];
  /** Unfinished blocks, by kind and id. */
  readonly #open = new Map<string, Block>();

  /** Empty blocks of text are left out, except where the provider attached something. */
  get content(): AssistantContent {
    return this.#content.filter(
      (part) => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
    );
  }

  /**
   * Adds a part that belongs to a block of text or reasoning, and ignores any other.
   * @returns whether the block was started
   */
  addToBlock(part: Part): boolean {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const started: Block = { type, text: '', ...attached(part.providerMetadata) };
        this.#content.push(started);
        this.#open.set(`${type} ${part.id}`, started);
        return true;
      }
      case 'text-delta':
        if (part.delta === '' && !part.providerMetadata) return true;
        return this.#continue(`text ${part.id}`, part.delta, part.providerMetadata);
      case 'reasoning-delta':
        return this.#continue(`reasoning ${part.id}`, part.delta, part.providerMetadata);
      case 'text-end':
      case 'reasoning-end': {
        const key = `${part.type === 'text-end' ? 'text' : 'reasoning'} ${part.id}`;
        return this.#continue(key, '', part.providerMetadata) && this.#open.delete(key);
      }
      default:
        return true;
    }
  }

  /** Adds a file; `data` is base64. */
  addFile({ type, mediaType, providerMetadata }: Part & { type: 'file' | 'reasoning-file' }, data: string): void {
    this.#content.push({ type, mediaType, data: { type: 'data', data }, ...attached(providerMetadata) });
  }

  /**
   * Adds a tool call.
   * @param isKnown whether the model was offered the tool
   */
  addCall(part: Part & { type: 'tool-call' }, isKnown: boolean): ToolInput {
    const { toolCallId, toolName, providerExecuted, dynamic, providerMetadata } = part;
    const input = parseToolInput(part.input, isKnown || (providerExecuted === true && dynamic === true));
    this.#content.push({
      type: 'tool-call',
      toolCallId,
      toolName,
      // Providers require an object.
      input: input.isValid || typeof input.value === 'object' ? input.value : {},
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
      ...attached(providerMetadata),
    });
    return input;
  }

  /** Adds the result of a tool that the provider carried out. */
  addResult(part: LanguageModelV4ToolResult): void {
    const { toolCallId, toolName, providerMetadata } = part;
    this.#content.push({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: outputOf(part),
      ...attached(providerMetadata),
    });
  }

  /** Adds what only the provider understands. */
  addCustom({ kind, providerMetadata }: Part & { type: 'custom' }): void {
    this.#content.push({ type: 'custom', kind, ...attached(providerMetadata) });
  }

  /** What is attached later replaces what was before. */
  #continue(key: string, text: string, metadata: SharedV4ProviderMetadata | undefined): boolean {
    const block = this.#open.get(key);
    if (block === undefined) return false;
    block.text += text;
    if (metadata) block.providerOptions = metadata;
    return true;
  }
}

function attached(metadata: SharedV4ProviderMetadata | undefined): { providerOptions?: SharedV4ProviderMetadata } {
  return metadata ? { providerOptions: metadata } : {};
}

function outputOf({ result, isError }: LanguageModelV4ToolResult): LanguageModelV4ToolResultOutput {
  const value: JSONValue = result;
  if (isError === true) return { type: 'error-json', value };
  return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
}
