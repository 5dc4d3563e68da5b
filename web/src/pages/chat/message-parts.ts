import type { Attachment, ChatMessage } from './conversation.ts';

/** An image of a message: its URL in the message, and its index in the message chain. */
export interface ChatPicture {
  address: string;
  element: number;
}

/** A file of a message, by its name. */
export interface ChatFile {
  name: string;
  /** Bytes; null if unknown. */
  size: number | null;
}

/** Text, images and files of a message. */
export function messageParts(message: ChatMessage): { text: string; pictures: ChatPicture[]; files: ChatFile[] } {
  const pictures = message.message_chain.flatMap((part, element) => {
    const address = String(part.base64 || part.url || '');
    return part.type === 'Image' && address !== '' ? { address, element } : [];
  });
  const files = message.message_chain
    .filter(({ type }) => type === 'File')
    .map(({ name, size }) => ({
      name: typeof name === 'string' && name !== '' ? name : '…',
      size: typeof size === 'number' ? size : null,
    }));
  if (pictures.length === 0 && files.length === 0) return { text: message.content, pictures, files };
  // The text form of the whole chain would repeat each image and file as a placeholder.
  const texts = message.message_chain.filter((element) => element.type === 'Plain').map((element) => element.text);
  return { text: texts.join(''), pictures, files };
}

/** The uploaded files of a message, to send them again. */
export function attachmentsOf({ message_chain }: ChatMessage): Attachment[] {
  return message_chain.flatMap(({ type, path, name, size }) => {
    if ((type !== 'Image' && type !== 'File') || typeof path !== 'string' || path === '') return [];
    const is_image = type === 'Image';
    return { file_key: path, name: String(name ?? ''), size: typeof size === 'number' ? size : 0, is_image };
  });
}
