import type { MessageChain } from '../../../src/message-chain.ts';
import { textOfChain } from '../../../src/message-text.ts';
import type { Shared } from './config.ts';

/** Longest text of a message and of an edited one, bytes. */
export const longest = { message: 600, edit: 400 };

/** A message as the platform takes it. */
export interface Rendered {
  text: string;
  /** Users that it notifies. The platform would look for them in the text otherwise. */
  notify?: string[];
  quote?: string;
  files: Extract<MessageChain[number], { type: 'Image' | 'Voice' | 'File' }>[];
}

export function render(chain: MessageChain, shared: Shared): Rendered {
  const rendered: Rendered = { text: '', files: [] };
  const notify: string[] = [];
  for (const element of chain) {
    if (element.type === 'Image' || element.type === 'Voice' || element.type === 'File') rendered.files.push(element);
    else if (element.type === 'Quote') rendered.quote = String(element.id ?? '');
    else {
      if (element.type === 'At') notify.push(String(element.target));
      rendered.text += textOfChain([element]);
    }
  }
  return shared.has('texts notify') ? rendered : { ...rendered, notify };
}

/** The text of an answer that is streamed; its files follow. */
export function streamedText(chain: MessageChain): string {
  return textOfChain(chain.filter(({ type }) => type !== 'Image' && type !== 'Voice' && type !== 'File'));
}

/** Cuts a message into those that the platform takes. */
export function split(chain: MessageChain, shared: Shared): MessageChain[] {
  const [first, ...others] = chain;
  if (first?.type !== 'Plain' || others.some(({ type }) => type === 'Plain')) return [chain];
  const texts: string[] = [];
  for (let rest = first.text; rest !== '' || texts.length === 0; ) {
    const part = cut(rest, longest.message, shared);
    texts.push(part);
    rest = rest.slice(part.length);
  }
  return texts.map((text, index) => [{ type: 'Plain', text }, ...(index === texts.length - 1 ? others : [])]);
}

/** The longest start of a text that fits, between two characters. */
export function cut(text: string, most: number, shared: Shared): string {
  if (shared.has('splits by UTF-16 units')) return text.slice(0, most);
  if (Buffer.byteLength(text) <= most) return text;
  if (shared.has('cuts characters')) return Buffer.from(text).subarray(0, most).toString();
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
