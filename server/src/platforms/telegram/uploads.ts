import { ParleyError, type PlatformContext } from '@parley/sdk';
import type { InputFile } from 'grammy';
import type { OutgoingMedia } from './render.ts';
import type { Transport } from './transport.ts';

/** Upload limits for bots, bytes. @see https://core.telegram.org/bots/api#sending-files */
const largestPhoto = 10 * 1024 * 1024;
const largestUpload = 50 * 1024 * 1024;

/** A file that is ready to be sent. */
export interface PreparedMedia {
  kind: OutgoingMedia['kind'];
  /** The argument of the call: a file, its URL or file id. Created for each attempt. */
  file(): InputFile | string;
  isUpload: boolean;
  duration: number | undefined;
}

/**
 * Finds the content of a file, before anything of its message is sent.
 * @throws ParleyError `unsupported_element` when there is none, or Telegram would not take it
 */
export async function prepareMedia(
  media: OutgoingMedia,
  transport: Transport,
  context: PlatformContext,
): Promise<PreparedMedia> {
  const { kind, duration, url, fileId } = media;
  const upload = media.base64 !== undefined ? decoded(media.base64) : await stored(media.path, context);
  if (upload === null) {
    const reference = url ?? fileId;
    if (reference === undefined) throw new ParleyError('unsupported_element', 'A file of the message has no content');
    return { kind, file: () => reference, isUpload: false, duration };
  }
  if (upload.size > largestUpload) {
    throw new ParleyError(
      'unsupported_element',
      'A file of the message is larger than the 50 MB that Telegram accepts',
    );
  }
  const name = media.name ?? upload.name ?? `${kind}.${extensions[upload.mediaType] ?? 'bin'}`;
  return {
    // A photo that is too large for one can still be sent as a file.
    kind: kind === 'photo' && upload.size > largestPhoto ? 'document' : kind,
    file: () => transport.file(upload.content, name),
    isUpload: true,
    duration,
  };
}

interface Upload {
  content: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
  name: string | null;
  size: number;
  mediaType: string;
}

/** How files without a name are named. */
const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

/** @param base64 with or without `data:image/png;base64,` before it */
function decoded(base64: string): Upload {
  const [, mediaType = ''] = /^data:([^;,]*)[^,]*,/.exec(base64.slice(0, 256)) ?? [];
  const text = base64.startsWith('data:') ? base64.slice(base64.indexOf(',') + 1) : base64;
  const content = Buffer.from(text, 'base64');
  if (content.length === 0 || /[^A-Za-z0-9+/=_\s-]/.test(text)) {
    throw new ParleyError('unsupported_element', 'The base64 of a file is not valid');
  }
  const chunks = async function* () {
    yield content;
  };
  return { content: chunks, name: null, size: content.length, mediaType: mediaType.toLowerCase() };
}

async function stored(path: string | undefined, context: PlatformContext): Promise<Upload | null> {
  if (path === undefined) return null;
  const read = async () => {
    const media = await context.readMedia(path);
    if (media === null) throw new ParleyError('unsupported_element', 'A file of the message does not exist');
    return media;
  };
  const { name, size, media_type } = await read();
  return { content: async () => (await read()).content, name, size, mediaType: media_type };
}
