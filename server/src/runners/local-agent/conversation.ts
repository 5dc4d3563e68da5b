import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4TextPart } from '@ai-sdk/provider';
import {
  type ConversationTurn,
  type OpenedModel,
  type PromptMessage,
  type RunnerRequest,
  textOfChain,
} from '@parley/sdk';
import { type MediaBudget, MessageMedia } from './message-media.ts';
import { fillPrompt, namesKnowledge, promptValues } from './prompt-variables.ts';
import { messagesOfRound, type ToolRound } from './tool-round.ts';

/** How many of the latest questions keep their pictures and files. */
const turnsWithMedia = 4;

export interface ConversationOptions {
  /** Text for a model, before the question or in the place of a variable; may be empty. */
  passages: (opened: OpenedModel) => Promise<string>;
  media: MessageMedia;
}

/** The messages for a model, in order: the prompt, the history, the question, and tool results. */
export class Conversation {
  readonly rounds: ToolRound[] = [];
  readonly #request: RunnerRequest;
  readonly #options: ConversationOptions;

  constructor(request: RunnerRequest, options: ConversationOptions) {
    this.#request = request;
    this.#options = options;
  }

  async messagesFor(opened: OpenedModel): Promise<LanguageModelV4Prompt> {
    const seesImages = opened.abilities.includes('vision');
    const budget = MessageMedia.budget();
    const { text, message_chain, prompt: written } = this.#request;
    const passages = await this.#options.passages(opened);
    // Passages stand before the question, unless the prompt says where.
    const before = namesKnowledge(written) ? '' : passages;
    const asked = [before, saidBy({ text, message_chain })].filter((part) => part !== '').join('\n\n');
    const question = await this.#userMessage(asked, message_chain, seesImages, budget);
    const earlier = await this.#history(seesImages, budget);
    const rounds = this.rounds.flatMap((round) => messagesOfRound(round, opened));
    const filled = fillPrompt(written, promptValues(this.#request, passages));
    const prompt = withInstructions(filled, this.#request.instructions).map(promptMessage);
    return [...prompt, ...earlier, question, ...rounds];
  }

  /** The newest turns use the remaining budget first. */
  async #history(seesImages: boolean, budget: MediaBudget): Promise<LanguageModelV4Prompt> {
    const messages: LanguageModelV4Prompt = [];
    let questions = 0;
    for (const turn of this.#request.history.toReversed()) {
      const said = saidBy(turn);
      if (turn.role === 'assistant') {
        if (said !== '') messages.push({ role: 'assistant', content: [textPart(said)] });
        continue;
      }
      questions += 1;
      const chain = questions > turnsWithMedia ? [] : turn.message_chain;
      messages.push(await this.#userMessage(said, chain, seesImages, budget));
    }
    return messages.reverse();
  }

  async #userMessage(
    text: string,
    chain: ConversationTurn['message_chain'],
    seesImages: boolean,
    budget: MediaBudget,
  ): Promise<LanguageModelV4Message> {
    const parts = await this.#options.media.parts(chain, seesImages, budget);
    // Providers refuse messages without content.
    if (parts.length === 0)
      return { role: 'user', content: [textPart(text === '' ? '[A message without text]' : text)] };
    return { role: 'user', content: [...(text === '' ? [] : [textPart(text)]), ...parts] };
  }
}

/** Providers require system messages first, so example messages of a prompt follow them. */
function withInstructions(prompt: readonly PromptMessage[], instructions = ''): readonly PromptMessage[] {
  if (instructions === '') return prompt;
  const place = prompt.findLastIndex(({ role }) => role === 'system') + 1;
  return [...prompt.slice(0, place), { role: 'system', content: instructions }, ...prompt.slice(place)];
}

function promptMessage({ role, content }: PromptMessage): LanguageModelV4Message {
  return role === 'system' ? { role, content } : { role, content: [textPart(content)] };
}

function textPart(text: string): LanguageModelV4TextPart {
  return { type: 'text', text };
}

function saidBy({ text, message_chain }: Pick<ConversationTurn, 'text' | 'message_chain'>): string {
  return text.trim() === '' ? textOfChain(message_chain).trim() : text;
}
