import {
  type MessageChain,
  type MessageStream,
  ParleyError,
  type PlatformContext,
  type SendProgress,
} from '@parley/sdk';
import { outgoingFile } from '../../kit/media/outgoing-file.ts';
import type { ChatPace } from '../../kit/pace/chat-pace.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessagePart } from '../../kit/streams/growing-message.ts';
import { asDeliveryError, isRefusal } from './failure.ts';
import type { Outbox, Place } from './outbox.ts';
import { renderChain } from './render.ts';

export interface StreamedMessageOptions {
  place: Place;
  outbox: Outbox;
  pace: ChatPace;
  /** Least time between two edits, milliseconds. */
  editMs: number;
  progress: SendProgress;
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
}

const fileDigest = 'file';

/** An outgoing message in a channel of Slack, which may be several messages there. */
export function streamedMessage(options: StreamedMessageOptions): MessageStream {
  const { place, outbox, pace, editMs, progress, context } = options;
  const key = `${place.channel}/${place.thread_ts ?? ''}`;
  return new GrowingMessage({
    progress,
    parts: (chain, isFinal) => partsOf(chain, isFinal, { place, outbox, context }),
    remove: (id) => outbox.remove(String(id)),
    failureOf: asDeliveryError,
    idOf: String,
    isPaced: () => !pace.take(key, editMs),
  });
}

/** Of a message that grows, the texts before its first file. */
async function partsOf(
  chain: MessageChain,
  isFinal: boolean,
  { place, outbox, context }: Pick<StreamedMessageOptions, 'place' | 'outbox' | 'context'>,
): Promise<MessagePart[]> {
  const parts: MessagePart[] = [];
  for (const part of renderChain(chain)) {
    if ('text' in part) parts.push(textPart(part.text, place, outbox));
    else if (!isFinal) break;
    else {
      const file = await outgoingFile(part.file, part.kind, context);
      if (file === null) throw new ParleyError('unsupported_element', 'A file of the message has no content');
      parts.push({
        digest: fileDigest,
        send: () => outbox.postFile(place, file),
        edit: async (id) => replaced(String(id), outbox),
      });
    }
  }
  return parts;
}

function textPart(text: string, place: Place, outbox: Outbox): MessagePart {
  return {
    digest: digestOf(text),
    send: () => outbox.post(place, text),
    edit: async (id, shownDigest) => {
      if (shownDigest === fileDigest) return false;
      return (await outbox.edit(String(id), text)) || replaced(String(id), outbox);
    },
  };
}

/** The old content must not stay next to its replacement; if its deletion is refused, it stays. */
async function replaced(id: string, outbox: Outbox): Promise<false> {
  await outbox.remove(id).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
  return false;
}
