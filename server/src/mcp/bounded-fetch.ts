import { setImmediate as nextTurn } from 'node:timers/promises';
import { ParleyError } from '@parley/sdk';

const newline = 10;
/** Most bytes of an event stream that are read before it yields. */
const pieceBytes = 4096;

/**
 * A `fetch` whose answers cannot fill the memory: an answer fails when it is longer than the limit, a stream of events
 * when one of its events is.
 */
export function boundedFetch(inner: typeof fetch, maximumBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.body === null) return response;
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    return new Response(response.body.pipeThrough(bounded(maximumBytes, isStream)), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

function bounded(maximumBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform: async (chunk, controller) => {
      length += chunk.length;
      if (isStream) {
        const end = endOfEvent(chunk, isLineEmpty);
        if (end >= 0) length = chunk.length - end;
        isLineEmpty = chunk.length === 0 ? isLineEmpty : chunk.at(-1) === newline;
      }
      if (length > maximumBytes) {
        controller.error(new ParleyError('tool_failed', `the server answered with more than ${maximumBytes} bytes`));
      } else if (isStream) {
        await enqueueInPieces(chunk, controller);
      } else {
        controller.enqueue(chunk);
      }
    },
  });
}

/** Thousands of small events may arrive together: reading them yields in between. */
async function enqueueInPieces(
  chunk: Uint8Array,
  controller: TransformStreamDefaultController<Uint8Array>,
): Promise<void> {
  for (let from = 0; from < chunk.length; from += pieceBytes) {
    if (from > 0) await nextTurn();
    controller.enqueue(chunk.subarray(from, from + pieceBytes));
  }
}

const carriageReturn = 13;

/** Where the last event that ends in a chunk ends: behind an empty line. -1 when none does. */
function endOfEvent(chunk: Uint8Array, isLineEmpty: boolean): number {
  for (let index = chunk.lastIndexOf(newline); index >= 0; index = chunk.lastIndexOf(newline, index - 1)) {
    const before = chunk[index - 1] === carriageReturn ? index - 2 : index - 1;
    if (before < 0 ? isLineEmpty : chunk[before] === newline) return index + 1;
    if (index === 0) break;
  }
  return -1;
}
