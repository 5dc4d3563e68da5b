import type { MessageElement } from '@parley/sdk';
import type { Message } from 'grammy/types';

/** A file of a message, with its element. */
export interface Attachment {
  element: Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;
  /** Telegram's file id. */
  fileId: string;
  name: string;
  /** Bytes; null if unknown. */
  size: number | null;
}

/** The fields of a message, or of one that is answered, that hold files. */
type Holder = Pick<
  Partial<Message>,
  'photo' | 'live_photo' | 'voice' | 'audio' | 'video' | 'video_note' | 'animation' | 'document' | 'sticker'
> & { message_id?: number };

/** A file as any of Telegram's kinds describes it. */
interface Described {
  file_id: string;
  file_size?: number;
  file_name?: string;
  duration?: number;
}

/** Photos larger than this are taken in a smaller size, if there is one. Bytes. */
const largestPhoto = 10 * 1024 * 1024;

/** The files of a message; Telegram allows one for each message. */
export function attachmentsOf(message: Holder): Attachment[] {
  const { photo, voice, audio, video, video_note, animation, document, sticker, message_id = 0 } = message;
  if (photo !== undefined) {
    const size = bestSize(photo);
    if (size === undefined) return [];
    return [attachment({ type: 'Image', image_id: size.file_id }, size, `photo-${message_id}.jpg`)];
  }
  if (sticker !== undefined) {
    if (!sticker.is_animated && !sticker.is_video) {
      return [attachment({ type: 'Image', image_id: sticker.file_id }, sticker, `sticker-${message_id}.webp`)];
    }
    return [file(sticker, `sticker-${message_id}.${sticker.is_video ? 'webm' : 'tgs'}`)];
  }
  if (voice !== undefined) return [sound(voice, `voice-${message_id}.ogg`)];
  if (audio !== undefined) return [sound(audio, `audio-${message_id}.mp3`)];
  // An animation comes as a document, too, for programs that do not know animations.
  if (animation !== undefined) return [file(animation, `animation-${message_id}.mp4`)];
  if (video !== undefined) return [file(video, `video-${message_id}.mp4`)];
  if (video_note !== undefined) return [file(video_note, `video-${message_id}.mp4`)];
  return document === undefined ? [] : [file(document, `document-${message_id}`)];
}

/** The largest that can be stored, else the smallest. */
function bestSize(sizes: NonNullable<Message['photo']>) {
  const bySize = sizes.toSorted((left, right) => left.width * left.height - right.width * right.height);
  return bySize.findLast(({ file_size = 0 }) => file_size <= largestPhoto) ?? bySize[0];
}

function sound(described: Described, fallbackName: string): Attachment {
  const length = described.duration === undefined ? {} : { length: described.duration };
  return attachment({ type: 'Voice', voice_id: described.file_id, ...length }, described, fallbackName);
}

function file(described: Described, fallbackName: string): Attachment {
  const size = described.file_size === undefined ? {} : { size: described.file_size };
  const element = { type: 'File' as const, id: described.file_id, name: described.file_name ?? fallbackName, ...size };
  return attachment(element, described, fallbackName);
}

function attachment(element: Attachment['element'], described: Described, fallbackName: string): Attachment {
  return {
    element,
    fileId: described.file_id,
    name: described.file_name ?? fallbackName,
    size: described.file_size ?? null,
  };
}
