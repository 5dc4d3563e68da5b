/** Sort key of messages. */
interface Placed {
  uuid: string;
  created_at: string;
}

/** A page of the server: newest first, and whether there is more. */
interface Page<Message> {
  messages: Message[];
  next_cursor: string | null;
}

/**
 * The loaded pages, merged with the current first page.
 * @param newest the current first page
 * @param loaded the loaded pages, newest first
 */
export function mergeMessages<Message extends Placed>(newest: Page<Message>, loaded: readonly Message[]): Message[] {
  if (newest.next_cursor === null) return newest.messages;
  const fresh = new Set(newest.messages.map(({ uuid }) => uuid));
  const end = newest.messages.at(-1)?.created_at;
  // A message missing in the first page was deleted, or does not match the filters any more.
  const rest = loaded.filter(({ uuid, created_at }) => !fresh.has(uuid) && (end === undefined || created_at <= end));
  return [...newest.messages, ...rest];
}

/** Whether there is a gap between the first page and the loaded ones. */
export function hasGap<Message extends Placed>(newest: Page<Message>, loaded: readonly Message[]): boolean {
  const [end, first] = [newest.messages.at(-1), loaded[0]];
  return newest.next_cursor !== null && end !== undefined && first !== undefined && end.created_at > first.created_at;
}

/** The rows from one on, and the number of rows before it. All rows if it is missing. */
export function heldBack<Message extends Placed>(
  rows: Message[],
  first: string | null,
): [rows: Message[], held: number] {
  const index =
    first === null
      ? 0
      : Math.max(
          0,
          rows.findIndex(({ uuid }) => uuid === first),
        );
  return [index === 0 ? rows : rows.slice(index), index];
}
