import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import { storableText } from '../../lib/storable-text.ts';
import { cutText, lengthOf, longestContent } from './cut-text.ts';
import type { Format } from './markdown.ts';
import { isId } from './target.ts';

/** Files that one message takes. */
export const mostFiles = 10;

/** An element with a file. */
export type FileElement = Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;

/** The content of one message of Discord. */
export interface Draft {
  content: string;
  files: readonly FileElement[];
  /** The message that is answered. */
  replyTo: string | null;
  /** Whom it notifies, whatever the text says. */
  users: readonly string[];
  everyone: boolean;
}

/** The messages of Discord that a chain takes, without those that would be empty. */
export function renderChain(chain: MessageChain, format: Format): Draft[] {
  return splitChain(chain, format)
    .map((part) => draftOf(part, format))
    .filter(({ content, files }) => content !== '' || files.length > 0);
}

/**
 * Splits a chain into ones that each fit into a message of Discord, as they are shown. Text stands above the files of
 * its message, so text that follows files begins another message.
 */
export function splitChain(chain: MessageChain, format: Format): MessageChain[] {
  const parts = new Parts();
  for (const element of chain) {
    if (element.type === 'Source') continue;
    if (isFile(element)) parts.addFile(element);
    else if (element.type === 'Quote' || element.type === 'At' || element.type === 'AtAll') parts.addMark(element);
    else parts.addText(textOf(element, format));
  }
  return parts.chains.filter((part) => part.length > 0);
}

/** Collects elements into messages. */
class Parts {
  readonly chains: MessageChain[] = [[]];
  #length = 0;
  #files = 0;

  addFile(element: FileElement): void {
    if (this.#files === mostFiles) this.#begin();
    this.#files += 1;
    this.#current.push(element);
  }

  addMark(element: Extract<MessageElement, { type: 'Quote' | 'At' | 'AtAll' }>): void {
    const length = lengthOf(markOf(element));
    if (element.type !== 'Quote' && (this.#files > 0 || this.#length + length > longestContent)) this.#begin();
    this.#length += length;
    this.#current.push(element);
  }

  addText(text: string): void {
    if (this.#files > 0 && text.trim() !== '') this.#begin();
    // A remainder that takes only a few words is left free.
    if (this.#length > longestContent / 2 && this.#length + lengthOf(text) > longestContent) this.#begin();
    for (const [index, part] of cutText(text, longestContent - this.#length).entries()) {
      if (index > 0) this.#begin();
      this.#length += lengthOf(part);
      this.#current.push({ type: 'Plain', text: part });
    }
  }

  get #current(): MessageChain {
    return this.chains.at(-1) ?? [];
  }

  #begin(): void {
    this.chains.push([]);
    this.#length = 0;
    this.#files = 0;
  }
}

function draftOf(chain: MessageChain, format: Format): Draft {
  const quote = chain.find((element) => element.type === 'Quote');
  const replyTo = String(quote?.id ?? '');
  const users = chain.flatMap((element) => (element.type === 'At' && isId(String(element.target)) ? element : []));
  return {
    content: chain
      .map((element) => (isFile(element) ? '' : textOf(element, format)))
      .join('')
      .trim(),
    files: chain.filter(isFile),
    replyTo: isId(replyTo) ? replyTo : null,
    users: [...new Set(users.map(({ target }) => String(target)))],
    everyone: chain.some(({ type }) => type === 'AtAll'),
  };
}

function isFile(element: MessageElement): element is FileElement {
  return element.type === 'Image' || element.type === 'Voice' || element.type === 'File';
}

function textOf(element: MessageElement, format: Format): string {
  switch (element.type) {
    case 'Plain':
      return format(storableText(element.text));
    case 'Quote':
    case 'At':
    case 'AtAll':
      return markOf(element);
    case 'Forward':
      return storableText(forwardedText(element));
    default:
      return storableText(textOfChain([element]));
  }
}

function markOf(element: Extract<MessageElement, { type: 'Quote' | 'At' | 'AtAll' }>): string {
  if (element.type === 'Quote') return '';
  if (element.type === 'AtAll') return '@everyone';
  const target = String(element.target);
  return isId(target) ? `<@${target}>` : `@${storableText(element.display || target).replace(/^@/, '')}`;
}
