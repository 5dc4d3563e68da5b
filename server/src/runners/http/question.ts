import type { MessageChain, MessageElement, RunnerContext, RunnerRequest } from '@parley/sdk';
import { requestVariables } from '../../kit/services/request-variables.ts';
import { untilAborted } from '../../lib/waiting.ts';

/** Files that go along with one question, and their bytes together. */
const maximumFiles = 10;
const maximumBytes = 32 * 1024 * 1024;
/** Elements that may hold a file, where it lies in the service's own storage or in the element itself. */
const typesWithFiles = new Set(['Image', 'Voice', 'File']);

export interface QuestionOptions {
  context: Pick<RunnerContext, 'readMedia' | 'logger'>;
  /** The service's conversation id; null until it returned one. */
  conversation: string | null;
  sendFiles: boolean;
}

/** The body of a call, documented in `docs/runners.md`. */
export async function questionOf(request: RunnerRequest, options: QuestionOptions): Promise<object> {
  const { message, text, history, variables, instructions = '' } = request;
  return {
    message_id: message.uuid,
    conversation_id: options.conversation,
    text,
    message_chain: await outgoingChain(request, options),
    history: history.map((turn) => ({ role: turn.role, text: turn.text })),
    instructions,
    variables: requestVariables({ variables }),
  };
}

/** The chain with the contents of its files, or without them; never with the places where the service keeps them. */
async function outgoingChain(
  { message_chain, signal }: RunnerRequest,
  { context, sendFiles }: QuestionOptions,
): Promise<unknown[]> {
  const budget = { files: maximumFiles, bytes: maximumBytes };
  const chain: unknown[] = [];
  for (const element of message_chain) {
    const content = sendFiles && isStored(element) ? await contentOf(element, context, signal, budget) : {};
    chain.push({ ...(withoutPlaces(element, sendFiles) as object), ...content });
  }
  return chain;
}

function isStored(element: MessageElement): boolean {
  return typesWithFiles.has(element.type) && Boolean((element as { path?: string | null }).path);
}

/** A question without a file that cannot be read is better than none. */
async function contentOf(
  element: MessageElement,
  { readMedia, logger }: QuestionOptions['context'],
  signal: AbortSignal,
  budget: { files: number; bytes: number },
): Promise<{ base64?: string }> {
  if (budget.files === 0) return {};
  try {
    const { media_type, bytes } = await untilAborted(readMedia(element), signal);
    if (bytes.byteLength > budget.bytes) return {};
    budget.files -= 1;
    budget.bytes -= bytes.byteLength;
    return { base64: `data:${media_type};base64,${Buffer.from(bytes).toString('base64')}` };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ element: element.type, error }, 'omitted a file of a message');
    return {};
  }
}

/** A copy, including nested chains, without storage paths, and without file contents if `withContents` is false. */
function withoutPlaces(value: MessageElement | MessageChain, withContents: boolean): unknown {
  const left = (key: string, inner: unknown, owner: unknown) => {
    if (!typesWithFiles.has((owner as { type?: string }).type ?? '')) return inner;
    return key === 'path' || (key === 'base64' && !withContents) ? undefined : inner;
  };
  return JSON.parse(
    JSON.stringify(value, function (this: unknown, key: string, inner: unknown) {
      return left(key, inner, this);
    }),
  );
}
