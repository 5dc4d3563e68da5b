import type { SocketPlace } from '@parley/sdk/internal';
import { newUuid } from '../../lib/uuid.ts';
import { addressOf } from './transport.ts';

/**
 * The platform's id of a message. A client's id counts within its user and conversation, so that users cannot take each
 * other's, and a client may restart its ids in each conversation.
 * @param id of the client; null when it gave none
 */
export function platformIdOf(id: string | null, personId: string, place: SocketPlace): string {
  return prefixOf(personId, place) + (id ?? `${generated}${newUuid()}`);
}

/** The client's id of a message; null when it gave none. */
export function clientIdOf(platformId: string | null, personId: string, place: SocketPlace): string | null {
  const prefix = prefixOf(personId, place);
  if (!platformId?.startsWith(prefix)) return null;
  const id = platformId.slice(prefix.length);
  return id.startsWith(generated) ? null : id;
}

/** Begins ids of messages that have none of their client. */
const generated = '/';

function prefixOf(personId: string, place: SocketPlace): string {
  return `${personId}/${addressOf(place)}/`;
}
