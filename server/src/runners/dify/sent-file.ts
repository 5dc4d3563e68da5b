import type { Logger, MediaContent } from '@parley/sdk';
import { formWithFile, unlessRefused } from '../../kit/services/file-upload.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { identifierAt } from '../../kit/services/values.ts';

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
export async function sendFile(file: MediaContent, options: SentFileOptions): Promise<object | null> {
  const id = await unlessRefused(upload(file, options), file, options.logger);
  return id === null ? null : { type: kindOf(file.media_type), transfer_method: 'local_file', upload_file_id: id };
}

async function upload(file: MediaContent, { client, address, headers, user }: SentFileOptions): Promise<string> {
  const form = formWithFile(file);
  form.set('user', user);
  const answer = await client.request(address, { headers, form });
  const id = identifierAt(await answer.json(), 'id');
  if (id === null) throw client.malformed('the uploaded file has no id.');
  return id;
}

function kindOf(mediaType: string): string {
  const [kind = ''] = mediaType.split('/', 1);
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'document';
}
