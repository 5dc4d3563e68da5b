import { ParleyError, type PlatformContext } from '@parley/sdk';
import type { InputFile } from 'grammy';
import { outgoingFile } from '../../kit/media/outgoing-file.ts';
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
  // Telegram fetches addresses itself.
  const upload = await outgoingFile(media, kind, { readMedia: (path) => context.readMedia(path) });
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
  return {
    // A photo that is too large for one can still be sent as a file.
    kind: kind === 'photo' && upload.size > largestPhoto ? 'document' : kind,
    file: () => transport.file(upload.content, upload.name),
    isUpload: true,
    duration,
  };
}
