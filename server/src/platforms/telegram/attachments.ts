import { type MediaReference, ParleyError } from '@parley/sdk';
import { TelegramFailure } from './failure.ts';
import type { Attachment } from './parse-attachments.ts';
import type { Transport } from './transport.ts';

/** Maximum download size for bots, bytes. @see https://core.telegram.org/bots/api#getfile */
const largestDownload = 20 * 1024 * 1024;

/** What is stored of a file until it is fetched. */
interface Reference {
  file_id: string;
  /** Bytes; null if unknown. */
  size: number | null;
}

export function mediaReferenceOf({ fileId, name, size }: Attachment): MediaReference {
  return { id: fileId, name, value: { file_id: fileId, size } satisfies Reference };
}

/**
 * @param value of {@link mediaReferenceOf}
 * @throws ParleyError `too_large`, `not_found`; TelegramFailure when a retry may succeed
 */
export async function fetchAttachment(
  value: unknown,
  transport: Transport,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { file_id, size } = value as Reference;
  if (size !== null && size > largestDownload) throw new ParleyError('too_large', 'The file is too large for bots');
  try {
    const { file_path: path } = await transport.call((api) => api.getFile({ file_id }));
    // A Bot API server in local mode returns a path on its own disk.
    if (path === undefined || path.startsWith('/')) throw new ParleyError('not_found', 'The file is not provided');
    return withLosses(transport.download(path, signal));
  } catch (error) {
    throw lossOf(error);
  }
}

async function* withLosses(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw lossOf(error);
  }
}

/** A failure after which no later attempt would bring the file becomes `not_found`. */
function lossOf(error: unknown): unknown {
  const isLost = error instanceof TelegramFailure && error.kind === 'refused' && ![401, 429].includes(error.code);
  return isLost ? new ParleyError('not_found', error.message) : error;
}
