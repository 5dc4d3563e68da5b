import type {
  AccountProfile,
  DeliveryTarget,
  MessageStream,
  OutgoingMessage,
  PlatformAdapter,
  SendProgress,
  SentMessage,
} from '@parley/sdk';

type Members = Required<PlatformAdapter>;

/** What an adapter calls while it is up. */
export interface AdapterConnection {
  /** Null while it is not known. */
  readonly accountId: string | null;
  /** Absent on platforms that tell none. */
  readonly profile?: AccountProfile | null;
  send: Members['send'];
  stream(...given: Parameters<Members['stream']>): MessageStream | Promise<MessageStream>;
  awaitTurn: Members['awaitTurn'];
  fetchMedia: Members['fetchMedia'];
  probe(): Promise<void>;
}

/** From a start to a stop: `ConnectionLife` or `MadeConnectionLife`. */
interface Life<Connection> {
  start(): Promise<void>;
  stop(): Promise<void>;
  readonly present: Connection | null;
  /** @throws ParleyError `bot_not_running` */
  readonly up: Connection;
}

/** An adapter that leaves its work to a connection, of which there is another one with each start. */
export class ConnectedAdapter<Connection extends AdapterConnection> implements PlatformAdapter {
  readonly stream?: Members['stream'];
  protected readonly life: Life<Connection>;
  #isUnstarted = true;

  constructor(life: Life<Connection>, { isStreamed }: { isStreamed: boolean }) {
    this.life = life;
    if (isStreamed) this.stream = async (message, progress) => this.life.up.stream(message, progress);
  }

  /** Whether it was neither started nor stopped: then it may take requests, without a connection. */
  protected get isUnstarted(): boolean {
    return this.#isUnstarted;
  }

  start(): Promise<void> {
    this.#isUnstarted = false;
    return this.life.start();
  }

  stop(): Promise<void> {
    this.#isUnstarted = false;
    return this.life.stop();
  }

  accountId(): string | null {
    return this.life.present?.accountId ?? null;
  }

  accountProfile(): AccountProfile | null {
    return this.life.present?.profile ?? null;
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    return this.life.up.send(message, progress);
  }

  async awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    await this.life.up.awaitTurn(target, signal);
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.life.up.fetchMedia(value, signal);
  }

  async probe(): Promise<void> {
    await this.life.up.probe();
  }
}
