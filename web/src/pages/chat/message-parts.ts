import type { ChatMessage } from './conversation.ts';

/** An image of a message: its URL in the message, and its index in the message chain. */
export interface ChatPicture {
  address: string;
  element: number;
}

/** Text and images of a message. */
export function messageParts(message: ChatMessage): { text: string; pictures: ChatPicture[] } {
  const pictures = message.message_chain.flatMap((part, element) => {
    const address = String(part.base64 || part.url || '');
    return part.type === 'Image' && address !== '' ? { address, element } : [];
  });
  if (pictures.length === 0) return { text: message.content, pictures };
  // The text form of the whole chain would repeat each image as a placeholder.
  const texts = message.message_chain.filter((element) => element.type === 'Plain').map((element) => element.text);
  return { text: texts.join(''), pictures };
}
