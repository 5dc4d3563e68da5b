import type { Logger, MediaContent } from '@parley/sdk';
import { ServiceRefusal } from './service-client.ts';

/** Statuses with which a service rejects a file for its type or size. */
const refusalsOfFiles = new Set([400, 413, 415, 422]);

/** The name of a file with an ending, which services go by; pictures and voices often come without one. */
export function nameWithEnding({ name, media_type }: Pick<MediaContent, 'name' | 'media_type'>): string {
  if (/\.\w{1,10}$/.test(name)) return name;
  const subtype = /^[\w-]+\/(?:x-)?([\w-]+)/.exec(media_type)?.[1] ?? 'bin';
  const endings: Record<string, string> = { jpeg: 'jpg', plain: 'txt', mpeg: 'mp3', 'octet-stream': 'bin' };
  return `${name || 'file'}.${endings[subtype] ?? subtype}`;
}

/** A form with a file in the field `file`. */
export function formWithFile(file: MediaContent): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file.bytes)], { type: file.media_type }), nameWithEnding(file));
  return form;
}

/** The result of an upload; null when the service rejects the file, which is then only mentioned in the text. */
export async function unlessRefused<Part>(
  upload: Promise<Part>,
  { media_type }: Pick<MediaContent, 'media_type'>,
  logger: Logger,
): Promise<Part | null> {
  try {
    return await upload;
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || !refusalsOfFiles.has(error.status)) throw error;
    logger.warn({ media_type, error }, 'a service rejected a file of a message');
    return null;
  }
}
