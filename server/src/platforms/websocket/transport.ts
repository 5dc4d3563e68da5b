import type { DeliveryTarget } from '@parley/sdk';
import type { BrowserSocket, PlatformConnection, SocketPlace } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';

/** A browser that reads slower than this many bytes behind is cut off; it finds everything in the history. */
const maximumBufferedBytes = 4 * 1024 * 1024;

export interface OpenConnection extends PlatformConnection {
  socket: BrowserSocket;
  /** Where messages for this connection go; see {@link addressOf}. */
  address: string;
  /** Whether it wants answers while they grow. */
  stream: boolean;
}

/** A conversation as the web chat addresses it. */
export function addressOf({ pipeline_uuid, session_type, session_id, thread_id }: DeliveryTarget): string {
  return [pipeline_uuid ?? '', session_type, session_id, ...(thread_id === '' ? [] : [thread_id])].join('/');
}

/** Messages of a conversation that are remembered as shown. */
const rememberedParts = 1000;

/** The connections that show one conversation. */
interface Group {
  place: SocketPlace;
  connections: Set<OpenConnection>;
  /** The stored messages that they got, oldest first. */
  shown: Set<string>;
}

/** The open connections, by the conversation they show. */
export class Connections {
  readonly #byAddress = new Map<string, Group>();

  open(socket: BrowserSocket, address: string): OpenConnection {
    const connection: OpenConnection = {
      socket,
      address,
      stream: true,
      connection_id: newUuid(),
      pipeline_uuid: socket.pipeline_uuid,
      session_type: socket.session_type,
      created_at: now(),
      last_active: now(),
      is_active: true,
    };
    const { pipeline_uuid, session_type, session_id, thread_id } = socket;
    const place = { pipeline_uuid, session_type, session_id, thread_id };
    const group = this.#byAddress.get(address) ?? { place, connections: new Set(), shown: new Set() };
    group.connections.add(connection);
    this.#byAddress.set(address, group);
    return connection;
  }

  close(connection: OpenConnection): void {
    const group = this.#byAddress.get(connection.address);
    group?.connections.delete(connection);
    if (group?.connections.size === 0) this.#byAddress.delete(connection.address);
  }

  at(address: string): OpenConnection[] {
    return [...(this.#byAddress.get(address)?.connections ?? [])];
  }

  all(): OpenConnection[] {
    return [...this.#byAddress.values()].flatMap(({ connections }) => [...connections]);
  }

  /** The conversations that are shown. */
  places(): SocketPlace[] {
    return [...this.#byAddress.values()].map(({ place }) => place);
  }

  has(address: string): boolean {
    return this.#byAddress.has(address);
  }

  isShown(address: string, part: string): boolean {
    return this.#byAddress.get(address)?.shown.has(part) ?? false;
  }

  /** The connections that are to get a part of a stored message: none once they got it. */
  toShow(address: string, part: string): OpenConnection[] {
    const group = this.#byAddress.get(address);
    if (group === undefined || group.shown.has(part)) return [];
    group.shown.add(part);
    const [oldest] = group.shown;
    if (group.shown.size > rememberedParts && oldest !== undefined) group.shown.delete(oldest);
    return [...group.connections];
  }

  send(connection: OpenConnection, frame: string): void {
    if (connection.socket.bufferedBytes() > maximumBufferedBytes) {
      this.close(connection);
      connection.socket.close(1013, 'reading too slowly');
      return;
    }
    connection.last_active = now();
    connection.socket.send(frame);
  }
}
