/** What the order of messages rests on. */
interface Placed {
  uuid: string;
  created_at: string;
}

/** A page as the server gives it: newest first, and whether there is more. */
interface Page<Message> {
  messages: Message[];
  next_cursor: string | null;
}

/**
 * The list that was loaded page by page, with what changed meanwhile at its beginning.
 * @param newest the first page as it is now
 * @param loaded what was loaded before, newest first
 */
export function mergeMessages<Message extends Placed>(newest: Page<Message>, loaded: readonly Message[]): Message[] {
  if (newest.next_cursor === null) return newest.messages;
  const fresh = new Set(newest.messages.map(({ uuid }) => uuid));
  const end = newest.messages.at(-1)?.created_at;
  // What should stand among the newest and does not was removed, or does not meet the filters any more.
  const rest = loaded.filter(({ uuid, created_at }) => !fresh.has(uuid) && (end === undefined || created_at <= end));
  return [...newest.messages, ...rest];
}

/** Whether so many came since the list was loaded that some between the newest and it are in neither. */
export function hasGap<Message extends Placed>(newest: Page<Message>, loaded: readonly Message[]): boolean {
  const [end, first] = [newest.messages.at(-1), loaded[0]];
  return newest.next_cursor !== null && end !== undefined && first !== undefined && end.created_at > first.created_at;
}

/** The rows from one on, and how many are before it. All of them where it is not there. */
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
