import { safeImageAddress } from '../../lib/safe-address.ts';
import type { ChatMessage } from './conversation.ts';

/** What of a message is shown as text and what as pictures. */
export function messageParts(message: ChatMessage): { text: string; pictures: string[] } {
  const pictures = message.message_chain
    .filter((element) => element.type === 'Image')
    .map((element) => safeImageAddress(String(element.base64 || element.url || '')))
    .filter((address) => address !== null);
  if (pictures.length === 0) return { text: message.content, pictures };
  // The text form of the whole chain would repeat each picture as a word.
  const texts = message.message_chain.filter((element) => element.type === 'Plain').map((element) => element.text);
  return { text: texts.join(''), pictures };
}
