import {
  type MediaContent,
  type MessageElement,
  ParleyError,
  type RunnerContext,
  type RunnerRequest,
  textOfChain,
} from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';

/** Kinds of elements that hold a file. */
export type FileElementType = 'Image' | 'Voice' | 'File';

/** Files that go with one question, and their bytes together. */
const maximumFiles = 10;
const maximumBytes = 32 * 1024 * 1024;

/**
 * Separates the text of a question from the files to send with it. A file that cannot be read or exceeds the limits is
 * mentioned in the text instead.
 * @param take converts each file, one after the other; null mentions it in the text
 */
export async function questionWithFiles<Part>(
  request: Pick<RunnerRequest, 'text' | 'message_chain' | 'signal'>,
  { readMedia, logger }: Pick<RunnerContext, 'readMedia' | 'logger'>,
  types: readonly FileElementType[],
  take: (file: MediaContent, type: FileElementType) => Promise<Part | null>,
): Promise<{ text: string; parts: Part[] }> {
  const { message_chain, signal } = request;
  const parts: Part[] = [];
  const taken = new Set<MessageElement>();
  let bytes = 0;
  for (const element of message_chain) {
    const type = types.find((candidate) => candidate === element.type);
    if (type === undefined || parts.length === maximumFiles) continue;
    let file: MediaContent;
    try {
      file = await untilAborted(readMedia(element), signal);
      const { name = null } = element as { name?: string | null };
      if (name) file = { ...file, name };
      if (bytes + file.bytes.byteLength > maximumBytes) {
        throw new ParleyError('too_large', 'The files of the message are too large');
      }
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ element: type, error }, 'omitted a file of a message');
      continue;
    }
    const part = await take(file, type);
    if (part === null) continue;
    bytes += file.bytes.byteLength;
    parts.push(part);
    taken.add(element);
  }
  if (taken.size === 0) return { text: request.text, parts };
  return { text: textOfChain(message_chain.filter((element) => !taken.has(element))).trim(), parts };
}
