import {
  type DeliveryError,
  type MessageEvent,
  type MessageReceipt,
  ParleyError,
  type PlatformNotice,
  type StateValues,
} from '@parley/sdk';

/** Takes what platforms send to bots. */
export interface MessageReceiver {
  receive(botUuid: string, event: MessageEvent, state?: StateValues): Promise<MessageReceipt>;
  /** As {@link PlatformContext.receiveAll}. */
  receiveAll(botUuid: string, events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]>;
  /** As {@link PlatformContext.receiveNotice}. */
  receiveNotice(botUuid: string, notice: PlatformNotice): Promise<void>;
  /** As {@link PlatformContext.reportFailure}. */
  reportFailure(botUuid: string, platformMessageId: string, failure: DeliveryError): Promise<void>;
  /** A bot is claimed for no more: resolves once messages that are being answered through it have ended. */
  idle(botUuid: string): Promise<void>;
}

/** Until there is a receiver, platforms keep their messages. */
const notReady = () => Promise.reject(new ParleyError('not_ready', 'The server is starting'));
export const noReceiver: MessageReceiver = {
  receive: notReady,
  receiveAll: notReady,
  receiveNotice: notReady,
  reportFailure: notReady,
  idle: async () => {},
};
