import type { Logger, MediaContent } from '@parley/sdk';
import { nameWithEnding } from '../../kit/services/file-upload.ts';
import { type ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { identifierAt } from '../../kit/services/values.ts';

/** Statuses with which Dify refuses a file for what it is: not of a kind it takes, too large. */
const refusalsOfFiles = new Set([400, 413, 415]);

export interface SentFileOptions {
  client: ServiceClient;
  address: string;
  headers: Record<string, string>;
  user: string;
  logger: Logger;
}

/**
 * Uploads a file of a question.
 * @returns how a question refers to it; null when Dify does not take it
 */
export async function sendFile(
  { name, media_type, bytes }: MediaContent,
  { client, address, headers, user, logger }: SentFileOptions,
): Promise<object | null> {
  const form = new FormData();
  form.set('user', user);
  form.set('file', new Blob([new Uint8Array(bytes)], { type: media_type }), nameWithEnding({ name, media_type }));
  let id: string | null;
  try {
    const answer = await client.request(address, { headers, form });
    id = identifierAt(await answer.json(), 'id');
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || !refusalsOfFiles.has(error.status)) throw error;
    logger.warn({ media_type, error }, 'Dify does not take a file of a message');
    return null;
  }
  if (id === null) throw client.malformed('the uploaded file has no id.');
  return { type: kindOf(media_type), transfer_method: 'local_file', upload_file_id: id };
}

function kindOf(mediaType: string): string {
  const [kind = ''] = mediaType.split('/', 1);
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'document';
}
