import type { MessageChain, MessageStream, PlatformContext, SendProgress } from '@parley/sdk';
import { requiredFile } from '../../kit/media/outgoing-file.ts';
import type { ChatPace } from '../../kit/pace/chat-pace.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { GrowingMessage, type MessagePart } from '../../kit/streams/growing-message.ts';
import { asDeliveryError } from './failure.ts';
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
      const file = await requiredFile(part.file, part.kind, context);
      parts.push({
        digest: fileDigest,
        send: () => outbox.postFile(place, file),
        edit: async () => false,
      });
    }
  }
  return parts;
}

function textPart(text: string, place: Place, outbox: Outbox): MessagePart {
  return {
    digest: digestOf(text),
    send: () => outbox.post(place, text),
    edit: async (id, shownDigest) => shownDigest !== fileDigest && outbox.edit(String(id), text),
  };
}
