import { ParleyError, type PlatformContext } from '@parley/sdk';
import { TelegramFailure } from './failure.ts';
import type { Attachment } from './parse-attachments.ts';
import type { Transport } from './transport.ts';

/** Telegram gives bots no larger files. Bytes. @see https://core.telegram.org/bots/api#getfile */
const largestDownload = 20 * 1024 * 1024;

/**
 * Fetches the file of a message and keeps it; the element then names it. A file that is too large or gone leaves the
 * element without content: the message is worth more than its file.
 * @throws TelegramFailure or what storing threw, when another attempt may bring it
 */
export async function fetchAttachment(
  { element, fileId, name, size }: Attachment,
  transport: Transport,
  context: PlatformContext,
): Promise<void> {
  const skip = (reason: string) =>
    context.logger.warn({ bot: context.bot_uuid, size, reason }, 'a file of a message was not kept');
  if (size !== null && size > largestDownload) return skip('too large');
  try {
    const { file_path: path } = await transport.call((api) => api.getFile({ file_id: fileId }));
    // A Bot API server in local mode names a place on its own disk and gives nothing out.
    if (path === undefined || path.startsWith('/')) return skip('not given out');
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
