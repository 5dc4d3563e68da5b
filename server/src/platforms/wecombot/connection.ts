import type {
  DeliveryTarget,
  MessageStream,
  OutgoingMessage,
  PlatformAdapter,
  SendProgress,
  SentMessage,
} from '@parley/sdk';
import type { StartableConnection } from '../../kit/connections/connection-life.ts';

/** One bot's connection in either mode, from its creation to its end. */
export interface Connection
  extends StartableConnection,
    Pick<PlatformAdapter, 'handleWebhook' | 'probe' | 'showTyping'> {
  send(message: OutgoingMessage, progress: SendProgress): Promise<SentMessage>;
  stream(message: Omit<OutgoingMessage, 'message_chain'>, progress: SendProgress): MessageStream;
  awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void>;
  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}
