import type { LanguageModelV4FilePart as FilePart, LanguageModelV4TextPart as TextPart } from '@ai-sdk/provider';
import type { MediaContent, MessageChain, MessageElement, RunnerContext } from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';

/** Pictures that models understand. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Pictures of one question with its history, and their bytes together. */
const maximumImages = 10;
const maximumImageBytes = 16 * 1024 * 1024;
/** Files that are looked into for one question with its history, and characters of their texts together. */
const maximumFiles = 20;
const maximumFileCharacters = 60_000;

/** Remaining media budget of one question. */
export interface MediaBudget {
  images: number;
  imageBytes: number;
  files: number;
  fileCharacters: number;
}

/** A prepared file: at most what a model may receive. */
type Prepared =
  | { kind: 'image'; name: string; media_type: string; bytes: Uint8Array }
  | { kind: 'text'; name: string; text: string; length: number }
  | { kind: 'other'; name: string; about: string }
  | { kind: 'unreadable'; name: string };

/** Converts pictures and files of messages for a model. Each is read once per answer. */
export class MessageMedia {
  readonly #context: Pick<RunnerContext, 'readMedia' | 'readDocument' | 'logger'>;
  readonly #signal: AbortSignal;
  readonly #prepared = new Map<MessageElement, Prepared>();

  constructor(context: Pick<RunnerContext, 'readMedia' | 'readDocument' | 'logger'>, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  static budget(): MediaBudget {
    return {
      images: maximumImages,
      imageBytes: maximumImageBytes,
      files: maximumFiles,
      fileCharacters: maximumFileCharacters,
    };
  }

  /**
   * Message content other than text: pictures for a model with vision, texts of files for any, and a remark for each
   * that cannot be included.
   * @param budget is reduced by the content
   */
  async parts(chain: MessageChain, seesImages: boolean, budget: MediaBudget): Promise<(TextPart | FilePart)[]> {
    const parts: (TextPart | FilePart)[] = [];
    // One after the other: only the prepared content of one is in memory while the next is read.
    for (const element of chain) {
      if (element.type === 'Image') parts.push(await this.#imagePart(element, seesImages, budget));
      if (element.type === 'File') parts.push(await this.#filePart(element, seesImages, budget));
    }
    return parts;
  }

  async #imagePart(element: MessageElement, seesImages: boolean, budget: MediaBudget): Promise<TextPart | FilePart> {
    if (!seesImages) return remark('A picture came with this message; this model cannot see it.');
    const prepared = budget.images > 0 ? await this.#read(element, null) : null;
    return (
      this.#shown(element, prepared, budget) ?? remark('A picture came with this message; it cannot be shown here.')
    );
  }

  async #filePart(
    element: MessageElement & { type: 'File' },
    seesImages: boolean,
    budget: MediaBudget,
  ): Promise<TextPart | FilePart> {
    const { name = null } = element;
    if (budget.files === 0) return unreadable(name || 'file');
    budget.files -= 1;
    const prepared = await this.#read(element, name);
    const image = seesImages ? this.#shown(element, prepared, budget) : null;
    if (image !== null) return image;
    const called = quoted(prepared.name);
    switch (prepared.kind) {
      case 'text': {
        const shown = prepared.text.slice(0, budget.fileCharacters).toWellFormed();
        budget.fileCharacters -= shown.length;
        const rest = shown.length < prepared.length ? `\n[Cut here: the whole has ${prepared.length} characters.]` : '';
        return { type: 'text', text: `The file ${called}:\n${shown}${rest}\n[End of the file ${called}]` };
      }
      case 'image':
        return remark(`The picture ${called} came with this message; it cannot be shown here.`);
      case 'other':
        return remark(
          `The file ${called} (${prepared.about}) came with this message; its content cannot be read here.`,
        );
      case 'unreadable':
        return unreadable(prepared.name);
    }
  }

  /** Null for other files, and for pictures beyond the budget, which are then discarded. */
  #shown(element: MessageElement, prepared: Prepared | null, budget: MediaBudget): FilePart | null {
    if (prepared?.kind !== 'image') return null;
    const { name, media_type, bytes } = prepared;
    if (budget.images === 0 || bytes.length > budget.imageBytes) {
      this.#prepared.set(element, { kind: 'other', name, about: `${media_type}, ${bytes.length} bytes` });
      return null;
    }
    budget.images -= 1;
    budget.imageBytes -= bytes.length;
    return { type: 'file', mediaType: media_type, data: { type: 'data', data: bytes } };
  }

  /** An answer without a file that cannot be read is better than none. */
  async #read(element: MessageElement, name: string | null): Promise<Prepared> {
    const known = this.#prepared.get(element);
    if (known !== undefined) return known;
    let prepared: Prepared;
    try {
      const media = await untilAborted(this.#context.readMedia(element), this.#signal);
      prepared = await this.#prepare({ ...media, name: name || media.name });
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#context.logger.warn({ element: element.type, error }, 'a file of a message cannot be read');
      prepared = { kind: 'unreadable', name: name || 'file' };
    }
    this.#prepared.set(element, prepared);
    return prepared;
  }

  async #prepare({ name, media_type, bytes }: MediaContent): Promise<Prepared> {
    if (imageTypes.has(media_type)) return { kind: 'image', name, media_type, bytes };
    const isText = media_type.startsWith('text/');
    const read = isText ? null : await this.#documentText({ name, media_type, bytes });
    const text = read ?? textOf(bytes);
    return text === null
      ? { kind: 'other', name, about: `${media_type}, ${bytes.length} bytes` }
      : preparedText(name, text);
  }

  /** A broken document is named, and its content left out. */
  async #documentText(media: MediaContent): Promise<string | null> {
    try {
      return (await this.#context.readDocument?.(media)) ?? null;
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#context.logger.warn({ error }, 'a document of a message cannot be read');
      return null;
    }
  }
}

/** A copy: a part of a text keeps the whole of it in memory. */
function preparedText(name: string, text: string): Prepared {
  return {
    kind: 'text',
    name,
    text: Buffer.from(text.slice(0, maximumFileCharacters)).toString(),
    length: text.length,
  };
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 255).toWellFormed());
}

function unreadable(name: string): TextPart {
  return remark(`The file ${quoted(name)} came with this message; it cannot be read here.`);
}

function remark(text: string): TextPart {
  return { type: 'text', text: `[${text}]` };
}

/** The text of a file that is one, in UTF-8 or marked as UTF-16; null for anything else. */
function textOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells a text from other files
    return /[\0-\x08\x0e-\x1a]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
