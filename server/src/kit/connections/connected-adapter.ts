import type {
  DeliveryTarget,
  MessageStream,
  OutgoingMessage,
  PlatformAdapter,
  SendProgress,
  SentMessage,
} from '@parley/sdk';
import { ConnectionLife, type StartableConnection } from './connection-life.ts';

type Members = Required<PlatformAdapter>;

/** What an adapter calls while it is up. */
export interface AdapterConnection extends StartableConnection {
  /** Null while it is not known. */
  readonly accountId: string | null;
  send: Members['send'];
  stream(...given: Parameters<Members['stream']>): MessageStream | Promise<MessageStream>;
  awaitTurn: Members['awaitTurn'];
  fetchMedia: Members['fetchMedia'];
  probe(): Promise<void>;
}

/** An adapter that leaves its work to a connection, which is created with each start. */
export class ConnectedAdapter<Connection extends AdapterConnection> implements PlatformAdapter {
  readonly stream?: Members['stream'];
  protected readonly life: ConnectionLife<Connection>;

  constructor(create: () => Connection, { isStreamed }: { isStreamed: boolean }) {
    this.life = new ConnectionLife(create);
    if (isStreamed) this.stream = async (message, progress) => this.life.up.stream(message, progress);
  }

  start(): Promise<void> {
    return this.life.start();
  }

  stop(): Promise<void> {
    return this.life.stop();
  }

  accountId(): string | null {
    return this.life.present?.accountId ?? null;
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
