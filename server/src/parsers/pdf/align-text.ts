/** A character of a page, by which its text can be found again. */
export interface Placed {
  codePoint: number;
}

/** The letters and digits of a text, which parsers and pages have in common, and the position of each. */
interface Letters {
  /** Each of one UTF-16 code unit, or a surrogate. */
  text: string;
  /** For each code unit, the index of its character in the original. */
  places: number[];
}

/** Length of the shortest run that identifies a place on a page, letters. */
const seed = 10;

/**
 * Finds the letters of a text on a page, whose spaces, hyphens, headers and order of columns may differ.
 * @param text as a parser read it
 * @param page the characters of the page, in the order of the file
 * @returns for each UTF-16 code unit of the text the index of its character on the page, -1 for none
 */
export function alignText(text: string, page: readonly Placed[]): Int32Array {
  const wanted = lettersOfText(text);
  const there = lettersOfPage(page);
  const found = new Int32Array(text.length).fill(-1);
  const length = Math.min(seed, wanted.text.length);
  if (length === 0) return found;
  const seeds = seedsOf(there.text, length);
  let last = 0;
  for (let at = 0; at + length <= wanted.text.length; ) {
    const run = longestRun(wanted.text, at, there.text, {
      places: seeds.get(wanted.text.slice(at, at + length)),
      last,
    });
    if (run === null) {
      at += 1;
      continue;
    }
    for (let offset = 0; offset < run.length; offset += 1) {
      const place = wanted.places[at + offset];
      if (place !== undefined) found[place] = there.places[run.start + offset] ?? -1;
    }
    at += run.length;
    last = run.start + run.length;
  }
  return found;
}

/** Letters that a seed may stand at: a page of one letter only would otherwise take the square of its length. */
const mostPlaces = 50;

function seedsOf(text: string, length: number): Map<string, number[]> {
  const seeds = new Map<string, number[]>();
  for (let at = 0; at + length <= text.length; at += 1) {
    const key = text.slice(at, at + length);
    const places = seeds.get(key);
    if (places === undefined) seeds.set(key, [at]);
    else if (places.length < mostPlaces) places.push(at);
  }
  return seeds;
}

/** The longest of the runs that begin alike; of two, the one nearer to where the last one ended. */
function longestRun(
  wanted: string,
  at: number,
  page: string,
  { places = [], last }: { places: readonly number[] | undefined; last: number },
): { start: number; length: number } | null {
  let best: { start: number; length: number } | null = null;
  for (const start of places) {
    let length = 0;
    while (at + length < wanted.length && wanted[at + length] === page[start + length]) length += 1;
    const isBetter =
      best === null ||
      length > best.length ||
      (length === best.length && Math.abs(start - last) < Math.abs(best.start - last));
    if (isBetter) best = { start, length };
  }
  return best;
}

function lettersOfText(text: string): Letters {
  const letters: Letters = { text: '', places: [] };
  let place = 0;
  for (const character of text) {
    addLetters(letters, character, place);
    place += character.length;
  }
  return letters;
}

function lettersOfPage(page: readonly Placed[]): Letters {
  const letters: Letters = { text: '', places: [] };
  for (const [place, { codePoint }] of page.entries()) {
    if (codePoint > 0 && codePoint <= 0x10_ff_ff) addLetters(letters, String.fromCodePoint(codePoint), place);
  }
  return letters;
}

function addLetters(letters: Letters, character: string, place: number): void {
  // Ligatures and presentation forms are several letters, or others.
  const folded = character.normalize('NFKD').toLowerCase();
  for (const letter of folded) {
    if (!/[\p{L}\p{N}]/u.test(letter)) continue;
    letters.text += letter;
    for (let unit = 0; unit < letter.length; unit += 1) letters.places.push(place);
  }
}
