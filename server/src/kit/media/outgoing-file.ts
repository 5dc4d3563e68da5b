import { ParleyError, type PlatformContext } from '@parley/sdk';

/** The content of a file on its way out, read anew for each attempt. */
export interface OutgoingFile {
  content(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
  name: string;
  /** Bytes. */
  size: number;
  /** Empty if unknown. */
  mediaType: string;
}

/** Where the content of an element is; the first of them that is set counts. */
export interface FileSource {
  name?: string | null;
  base64?: string | null;
  path?: string | null;
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

/**
 * Finds the content of a file that the service has.
 * @param kind names a file without a name, such as `photo`
 * @returns null when it has none: neither `base64` nor `path`
 * @throws ParleyError `unsupported_element` when there is no such file, or the base64 is invalid
 */
export async function outgoingFile(
  { name, base64, path }: FileSource,
  kind: string,
  context: Pick<PlatformContext, 'readMedia'>,
): Promise<OutgoingFile | null> {
  const file = base64 ? decoded(base64) : path ? await stored(path, context) : null;
  if (file === null) return null;
  return { ...file, name: name || file.name || `${kind}.${extensions[file.mediaType] ?? 'bin'}` };
}

type Found = Omit<OutgoingFile, 'name'> & { name: string | null };

/** @param base64 with or without `data:image/png;base64,` before it */
function decoded(base64: string): Found {
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

async function stored(path: string, context: Pick<PlatformContext, 'readMedia'>): Promise<Found> {
  const read = async () => {
    const media = await context.readMedia(path);
    if (media === null) throw new ParleyError('unsupported_element', 'A file of the message does not exist');
    return media;
  };
  const { name, size, media_type } = await read();
  return { content: async () => (await read()).content, name, size, mediaType: media_type };
}
