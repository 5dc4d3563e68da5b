// The texts of the fault harness. Every question carries a unique id, and every part of its answer repeats that id at its
// beginning and at its end, in plain words that no formatting, filter or split of the service changes.

/** What a user writes. @param parts messages that the answer is long enough for */
export function questionText(id: string, parts = 1): string {
  return `Question ${id} in ${parts} parts: what is the weather going to be like?`;
}

/** Id and number of parts of a question, or null where a text is none. */
export function readQuestion(text: string): { id: string; parts: number } | null {
  const [, id, parts] = /Question (q\d+) in (\d+) parts/.exec(text) ?? [];
  return id === undefined ? null : { id, parts: Number(parts) };
}

const filler =
  'It may rain in the afternoon, with some wind from the west, and it will be dry again before the evening. ';
/** Characters of a part of an answer that has several: two of them do not fit into one message of Telegram. */
const longPart = 3500;
const shortPart = 250;

/** The complete answer to a question; parts are paragraphs, which is where the service splits. */
export function answerText(id: string, parts: number): string {
  return Array.from({ length: parts }, (_, index) => partText(id, index + 1, parts)).join('\n\n');
}

function partText(id: string, part: number, parts: number): string {
  const length = parts === 1 ? shortPart : longPart;
  const begin = `Begin ${id} part ${part} of ${parts}. `;
  const end = `End ${id} part ${part} of ${parts}.`;
  const words = filler.repeat(Math.ceil(length / filler.length));
  return `${begin}${words.slice(0, length - begin.length - end.length)} ${end}`;
}

/** A part of an answer, as a message in a chat shows it. */
export interface ShownPart {
  id: string;
  /** From 1. */
  part: number;
  /** Whether its end stands there, too. */
  isComplete: boolean;
}

/** The parts of answers that a message shows, complete or only their beginning. */
export function shownParts(text: string): ShownPart[] {
  const shown: ShownPart[] = [];
  for (const [, id = '', part = '', parts = ''] of text.matchAll(/Begin (q\d+) part (\d+) of (\d+)\./g)) {
    shown.push({ id, part: Number(part), isComplete: text.includes(`End ${id} part ${part} of ${parts}.`) });
  }
  // A message may hold the end only, when the beginning went into another one.
  for (const [, id = '', part = ''] of text.matchAll(/End (q\d+) part (\d+) of \d+\./g)) {
    if (!shown.some((one) => one.id === id && one.part === Number(part)))
      shown.push({ id, part: Number(part), isComplete: false });
  }
  return shown;
}
