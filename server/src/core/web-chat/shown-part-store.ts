import type { ShownPart, SocketPlace, StoredPart } from '@parley/sdk/internal';

/** A part of a stored message, and the conversation that it is of. */
export interface PlacedPart {
  place: SocketPlace;
  part: StoredPart;
}

/** Reads messages as sockets get them. */
export interface ShownPartStore {
  /** Those that exist of some parts. Whatever the marks of these are, it is returned with them. */
  read(parts: readonly ShownPart[]): Promise<PlacedPart[]>;
  /**
   * What was stored or sent since a time in the current conversations of some places, in their order: of each conversation
   * the latest 100 messages at most.
   * @param since ISO 8601 UTC
   */
  since(botUuid: string, places: readonly SocketPlace[], since: string): Promise<PlacedPart[]>;
}
