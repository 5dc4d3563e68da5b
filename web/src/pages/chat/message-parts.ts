import type { ChatMessage } from './conversation.ts';

/** A picture of a message: its address as the message has it, and its place in the message chain. */
export interface ChatPicture {
  address: string;
  element: number;
}

/** What of a message is shown as text and what as pictures. */
export function messageParts(message: ChatMessage): { text: string; pictures: ChatPicture[] } {
  const pictures = message.message_chain.flatMap((part, element) => {
    const address = String(part.base64 || part.url || '');
    return part.type === 'Image' && address !== '' ? { address, element } : [];
  });
  if (pictures.length === 0) return { text: message.content, pictures };
  // The text form of the whole chain would repeat each picture as a word.
  const texts = message.message_chain.filter((element) => element.type === 'Plain').map((element) => element.text);
  return { text: texts.join(''), pictures };
}
