import { ParleyError, type PlatformContext } from '@parley/sdk';
import { TelegramFailure } from './failure.ts';
import type { Attachment } from './parse-attachments.ts';
import type { Transport } from './transport.ts';

/** Maximum download size for bots, bytes. @see https://core.telegram.org/bots/api#getfile */
const largestDownload = 20 * 1024 * 1024;

/**
 * Fetches and stores the file of a message and sets its path in the element. If the file is too large or gone, the
 * element stays without content: the message matters more than its file.
 * @throws TelegramFailure or the error of the storage, when a retry may succeed
 */
export async function fetchAttachment(
  { element, fileId, name, size }: Attachment,
  transport: Transport,
  context: PlatformContext,
): Promise<void> {
  const skip = (reason: string) =>
    context.logger.warn({ bot: context.bot_uuid, size, reason }, 'a file of a message was not stored');
  if (size !== null && size > largestDownload) return skip('too large');
  try {
    const { file_path: path } = await transport.call((api) => api.getFile({ file_id: fileId }));
    // A Bot API server in local mode returns a path on its own disk.
    if (path === undefined || path.startsWith('/')) return skip('not provided');
    const stored = await context.storeMedia(name, transport.download(path));
    element.path = stored.path;
    if (element.type === 'File') element.size = stored.size;
  } catch (error) {
    if (!isLost(error)) throw error;
    skip((error as Error).message);
  }
}

/** Whether no later attempt would bring the file. */
function isLost(error: unknown): boolean {
  if (error instanceof ParleyError) return error.reason === 'too_large' || error.reason === 'empty_file';
  return error instanceof TelegramFailure && error.kind === 'refused' && error.code !== 429 && error.code !== 401;
}
