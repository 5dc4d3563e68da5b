import type { PlatformContext } from '@parley/sdk';
import { blobOf, type OutgoingFile, requiredFile } from '../../kit/media/outgoing-file.ts';
import { type FileElement, mostFiles } from './render.ts';

/** Largest upload of a message, all files together, bytes. @see https://docs.discord.com/developers/reference#uploading-files */
const largestUpload = 10 * 1024 * 1024;

const kinds = { Image: 'image', Voice: 'voice', File: 'file' } as const;

/**
 * Finds the content of files, before anything of their message is sent.
 * @returns one list for each message that they take
 * @throws ParleyError `unsupported_element` when a file has no content, or Discord would not take it
 */
export async function prepareFiles(
  elements: readonly FileElement[],
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>,
): Promise<OutgoingFile[][]> {
  const messages: OutgoingFile[][] = [];
  let size = 0;
  for (const element of elements) {
    const limit = { maximumBytes: largestUpload, platform: 'Discord' };
    const file = await requiredFile(element, kinds[element.type], context, limit);
    const last = messages.at(-1);
    if (last !== undefined && last.length < mostFiles && size + file.size <= largestUpload) last.push(file);
    else messages.push([file]);
    size = messages.at(-1) === last ? size + file.size : file.size;
  }
  return messages;
}

/** A form with files, as Discord takes it. @see https://docs.discord.com/developers/reference#uploading-files */
export async function multipart(payload: object, files: readonly OutgoingFile[]): Promise<{ body: FormData }> {
  const form = new FormData();
  form.set('payload_json', new Blob([JSON.stringify(payload)], { type: 'application/json' }));
  for (const [index, file] of files.entries()) {
    form.set(`files[${index}]`, await blobOf(file), fileNameOf(file));
  }
  return { body: form };
}

/** A name that Discord takes. */
export function fileNameOf({ name }: Pick<OutgoingFile, 'name'>): string {
  return (
    name
      .toWellFormed()
      .replace(/[\p{Cc}"\\/]/gu, '_')
      .slice(-200) || 'file'
  );
}
