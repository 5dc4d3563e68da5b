import { type MessageEvent, type MessageReceipt, type StateValues, textOfChain } from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import type { BotEventEntry } from './bot-event.ts';
import { type MessageReceiver, noReceiver } from './message-receiver.ts';

/** Hands over what bots receive, and writes the messages into their event logs. */
export class BotArrivals {
  /** Where messages of platforms go. */
  receiver: MessageReceiver = noReceiver;
  readonly #tell: (botUuid: string, entry: BotEventEntry) => void;

  constructor(tell: (botUuid: string, entry: BotEventEntry) => void) {
    this.#tell = tell;
  }

  async receive(
    uuid: string,
    platform: InternalPlatform,
    event: MessageEvent,
    state?: StateValues,
  ): Promise<MessageReceipt> {
    const receipt = await this.receiver.receive(uuid, vouchedFor(platform, event), state);
    if (receipt.outcome === 'accepted') this.#log(uuid, event);
    return receipt;
  }

  async receiveAll(
    uuid: string,
    platform: InternalPlatform,
    events: readonly MessageEvent[],
  ): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const results = await this.receiver.receiveAll(
      uuid,
      events.map((event) => vouchedFor(platform, event)),
    );
    for (const [index, result] of results.entries()) {
      const isNew = result.status === 'fulfilled' && result.value.outcome === 'accepted';
      if (isNew) this.#log(uuid, events[index] as MessageEvent);
    }
    return results;
  }

  /** Writes a message that was stored into the event log of its bot. */
  #log(uuid: string, { session_type, session_id, message_chain }: MessageEvent): void {
    this.#tell(uuid, {
      level: 'info',
      text: textOfChain(message_chain),
      images: message_chain.flatMap((element) => (element.type === 'Image' && element.path) || []),
      message_session_id: `${session_type}_${session_id}`,
    });
  }
}

/** Only a platform with sockets of this service knows who is signed in to it, and tries pipelines. */
function vouchedFor({ sockets }: InternalPlatform, event: MessageEvent): MessageEvent {
  if (event.facts === undefined || sockets === true) return event;
  const { signed_in_admin, trial, replaces, ...facts } = event.facts;
  const isPlain = signed_in_admin === undefined && trial === undefined && replaces === undefined;
  return isPlain ? event : { ...event, facts };
}
