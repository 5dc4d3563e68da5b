import { ParleyError, type PlatformContext } from '@parley/sdk';
import { type OutgoingFile, outgoingFile } from '../../kit/media/outgoing-file.ts';
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
    const file = await outgoingFile(element, kinds[element.type], context, { maximumBytes: largestUpload });
    if (file === null) throw new ParleyError('unsupported_element', 'A file of the message has no content');
    if (file.size > largestUpload) {
      throw new ParleyError(
        'unsupported_element',
        'A file of the message is larger than the 10 MB that Discord accepts',
      );
    }
    const last = messages.at(-1);
    if (last !== undefined && last.length < mostFiles && size + file.size <= largestUpload) last.push(file);
    else messages.push([file]);
    size = messages.at(-1) === last ? size + file.size : file.size;
  }
  return messages;
}

/** A body with files, as Discord takes it. @see https://docs.discord.com/developers/reference#uploading-files */
export async function multipart(
  payload: object,
  files: readonly OutgoingFile[],
): Promise<{ body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const form = new FormData();
  form.set('payload_json', new Blob([JSON.stringify(payload)], { type: 'application/json' }));
  for (const [index, file] of files.entries()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await file.content()) chunks.push(chunk);
    const type = file.mediaType || 'application/octet-stream';
    form.set(`files[${index}]`, new Blob([Buffer.concat(chunks)], { type }), fileNameOf(file));
  }
  // Encoded here, because a client that was installed does not know the form data of the platform.
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? 'multipart/form-data';
  return { body: new Uint8Array(await encoded.arrayBuffer()), headers: { 'content-type': type } };
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
