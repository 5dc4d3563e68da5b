import type { DeliveryTarget } from '@parley/sdk';
import type { BrowserSocket, PlatformConnection } from '@parley/sdk/internal';
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

/** The open connections, by the conversation they show. */
export class Connections {
  readonly #byAddress = new Map<string, Set<OpenConnection>>();

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
    const group = this.#byAddress.get(address) ?? new Set();
    group.add(connection);
    this.#byAddress.set(address, group);
    return connection;
  }

  close(connection: OpenConnection): void {
    const group = this.#byAddress.get(connection.address);
    group?.delete(connection);
    if (group?.size === 0) this.#byAddress.delete(connection.address);
  }

  at(address: string): OpenConnection[] {
    return [...(this.#byAddress.get(address) ?? [])];
  }

  all(): OpenConnection[] {
    return [...this.#byAddress.values()].flatMap((group) => [...group]);
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
