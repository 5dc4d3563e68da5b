import { randomBytes } from 'node:crypto';
import type { Logger } from '@parley/sdk';
import { CallHandlers } from '../../core/replicas/peer-calls.ts';
import { PeerClient } from '../peer-client.ts';
import { PeerServer } from '../peer-server.ts';

/** A replica with its port for others. */
export interface Peer {
  id: string;
  address: string;
  client: PeerClient;
  server: PeerServer;
  handlers: CallHandlers;
  /** What it has logged. */
  logged: string[];
  close: () => Promise<void>;
}

/** Replicas that know one another, as a beat would have told them. */
export class Peers {
  readonly key: Buffer = randomBytes(32);
  readonly addresses = new Map<string, string>();
  /** The database's time. */
  time = 1_800_000_000_000;
  readonly #peers: Peer[] = [];

  async add(id: string, { answerMs }: { answerMs?: number } = {}): Promise<Peer> {
    const logged: string[] = [];
    const log = (fields: object, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`);
    const logger: Logger = { debug: log, info: log, warn: log, error: log };
    const handlers = new CallHandlers();
    const shared = { key: this.key, id: () => id, present: () => this.time };
    const { server, address } = await PeerServer.listen('127.0.0.1', 0, { ...shared, handlers, logger });
    const client = new PeerClient({
      ...shared,
      address: (replica) => this.addresses.get(replica) ?? null,
      ...(answerMs === undefined ? {} : { answerMs }),
    });
    this.addresses.set(id, address);
    const close = async () => {
      await client.close();
      await server.close(0);
    };
    const peer = { id, address, client, server, handlers, logged, close };
    this.#peers.push(peer);
    return peer;
  }

  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.close()));
  }
}
