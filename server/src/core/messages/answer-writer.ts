import {
  type CitationReport,
  type MessageChain,
  type MessageElement,
  type ModelCall,
  type Retrieval,
  type RunnerDelta,
  textOfChain,
} from '@parley/sdk';
import { openFence } from '../../lib/open-fence.ts';

export interface AnswerWriterOptions {
  /** Whether the answer shows tool calls. */
  showToolCalls: boolean;
}

/** Receives reports of a runner's work. */
export interface AnswerRecorder {
  addCall(call: ModelCall): void;
  addRetrieval(retrieval: Retrieval): void;
  setCitations(report: CitationReport): void;
}

const endOfThought = '\n</think>';

/** Assembles an answer from the output of a runner. */
export class AnswerWriter {
  readonly #options: AnswerWriterOptions;
  readonly #attachments: MessageElement[] = [];
  readonly #recorder: AnswerRecorder;
  #shown = '';
  #said = '';
  #isThinking = false;
  /** What a plugin answers instead. */
  #replacement: MessageChain | null = null;
  #showsThoughts = true;

  constructor(options: AnswerWriterOptions, recorder: AnswerRecorder) {
    this.#options = options;
    this.#recorder = recorder;
  }

  /** @returns whether the answer grew */
  add(delta: RunnerDelta): boolean {
    switch (delta.type) {
      case 'text':
        this.#endThought();
        this.#shown += delta.text;
        this.#said += delta.text;
        return true;
      case 'reasoning':
        return this.#think(delta.text);
      case 'attachment':
        this.#attachments.push(delta.element);
        return false;
      case 'model_call':
        this.#recorder.addCall(delta.call);
        return false;
      case 'retrieval':
        this.#recorder.addRetrieval(delta.retrieval);
        return false;
      case 'citations':
        this.#recorder.setCitations(delta.report);
        return false;
      case 'appendix':
        this.addNotice(delta.text);
        return true;
      case 'tool_call':
        return this.#announce(delta.name);
    }
  }

  /** The model's thoughts are not part of the answer. */
  hideThoughts(): void {
    this.#showsThoughts = false;
  }

  attach(element: MessageElement): void {
    this.#attachments.push(element);
  }

  /** Separates a notice about the answer, a failure for example, from the text before it, which may end in code. */
  addNotice(notice: string): void {
    this.#endThought();
    if (notice === '') return;
    const fence = openFence(this.#shown);
    if (fence !== null) this.#shown += `\n${fence}`;
    this.#shown = this.#shown === '' ? notice : `${this.#shown}\n\n${notice}`;
  }

  /** Replaces the answer as a whole; notices follow it. */
  replace(chain: MessageChain): void {
    this.#replacement = chain;
    this.#attachments.length = 0;
    this.#shown = '';
    this.#said = textOfChain(chain);
    this.#isThinking = false;
  }

  /** Whether there is anything to send. */
  get isEmpty(): boolean {
    return this.#shown === '' && this.#attachments.length === 0 && (this.#replacement ?? []).length === 0;
  }

  /** The answer in the history for the model: no thoughts, no notices. */
  get said(): string {
    return this.#said;
  }

  /** The text so far, for showing it while it grows. */
  get partial(): MessageChain {
    return [{ type: 'Plain', text: this.#shown }];
  }

  /** All of it. */
  get complete(): MessageChain {
    this.#endThought();
    const text: MessageChain = this.#shown === '' ? [] : [{ type: 'Plain', text: this.#shown }];
    return [...(this.#replacement ?? []), ...text, ...this.#attachments];
  }

  #think(text: string): boolean {
    if (!this.#showsThoughts) return false;
    if (!this.#isThinking) this.#shown += '<think>\n';
    this.#isThinking = true;
    this.#shown += text;
    return true;
  }

  #announce(name: string): boolean {
    if (!this.#options.showToolCalls) return false;
    this.#endThought();
    if (this.#shown !== '' && !this.#shown.endsWith('\n')) this.#shown += '\n\n';
    this.#shown += `Call ${name}...\n\n`;
    return true;
  }

  #endThought(): void {
    if (!this.#isThinking) return;
    this.#isThinking = false;
    this.#shown += `${endOfThought}\n\n`;
  }
}
