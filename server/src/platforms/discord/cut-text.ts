/** Longest text of a message, Unicode code points. @see https://docs.discord.com/developers/resources/message#create-message */
export const longestContent = 2000;

/** What a block of code that is cut in two needs at the end of the first part. */
const closingLength = 4;
/** Longest description of a block of code that is repeated in the next part. */
const longestInfo = 30;

/** Length as Discord counts it. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * Cuts a text into parts of at most `longestContent`: between lines, else words, else characters. A block of code is
 * closed and opened again. A cut depends only on the text before it.
 * @param room for the first part, code points
 */
export function cutText(text: string, room = longestContent): string[] {
  const parts: string[] = [];
  let rest = text;
  let most = room;
  while (rest.length > most && lengthOf(rest) > most) {
    const at = cutPlace(rest, most - closingLength);
    const part = rest.slice(0, at);
    const fence = openFence(part);
    parts.push(fence === null ? part.trimEnd() : `${part.trimEnd()}\n\`\`\``);
    const following = rest.slice(at).replace(fence === null ? /^(?:\n+| )/ : /^\n/, '');
    rest = fence === null ? following : `${fence}\n${following}`;
    most = longestContent;
  }
  parts.push(rest);
  return parts.filter((part) => part.trim() !== '');
}

/** Where to cut so that at most so many code points come before, and no fewer than half as many. */
function cutPlace(text: string, most: number): number {
  const window = text.slice(0, unitsOf(text, most));
  for (const separator of ['\n\n', '\n', ' ']) {
    const found = window.lastIndexOf(separator);
    if (found >= window.length / 2) return found;
  }
  return window.length;
}

/** UTF-16 units of a number of code points. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  let count = 0;
  for (const character of text) {
    if (count === codePoints) break;
    units += character.length;
    count += 1;
  }
  return units;
}

/** The first line of a block of code that is not closed; null if there is none. */
function openFence(text: string): string | null {
  let open: string | null = null;
  for (const [, info = ''] of text.matchAll(/^ {0,3}```([^`\n]*)$/gm)) {
    open = open === null ? `\`\`\`${info.trim().slice(0, longestInfo)}` : null;
  }
  return open;
}
