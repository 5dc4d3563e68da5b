import type { Paragraph } from './paragraphs.ts';

/** An entry of the outline that a PDF file may contain. */
export interface Heading {
  title: string;
  items: readonly Heading[];
}

/** The letters that most of a document is written in. */
export interface BodyLetters {
  size: number;
  /** Empty where no font is used for most of it. */
  font: string;
}

/** Longer texts are no headings, however large their letters are. */
const longestHeading = 200;
const mostLines = 4;
/** Letters must be this much larger than those of the text. */
const larger = 1.12;
/** As large as the text, but in letters of their own: a shorter one is sooner a heading. */
const longestBoldHeading = 90;
const caption = /^(?:fig|tab|abb|figure|table|note|рис|табл|图|圖|表|図)/i;
/** Sizes nearer than this are the same, in points. */
const sameSize = 0.7;
const deepest = 6;

/**
 * Determines headings by the outline of the document and by font size: the largest are of level 1.
 * @returns the level of a paragraph; null if it is not a heading
 */
export function headingLevels(
  paragraphs: readonly Paragraph[],
  { size: bodySize, font: bodyFont }: BodyLetters,
  outline: readonly Heading[],
): (paragraph: Paragraph) => number | null {
  const outlined = new Map<string, number>();
  const visit = (entries: readonly Heading[], level: number) => {
    for (const { title, items } of entries) {
      const key = keyOf(title);
      if (key !== '' && !outlined.has(key)) outlined.set(key, level);
      if (level < deepest) visit(items, level + 1);
    }
  };
  visit(outline, 1);

  const isLarge = ({ type, text, size, lines }: Paragraph) =>
    type !== 'code' &&
    size > bodySize * larger &&
    text.length <= longestHeading &&
    lines <= mostLines &&
    /\p{L}/u.test(text);
  const used = new Map<string, number>();
  for (const { font, text } of paragraphs) used.set(font, (used.get(font) ?? 0) + text.length);
  const all = paragraphs.reduce((sum, { text }) => sum + text.length, 0);
  const isBold = ({ type, text, size, font, lines }: Paragraph) =>
    bodyFont !== '' &&
    font !== '' &&
    font !== bodyFont &&
    (used.get(font) ?? 0) < all * 0.2 &&
    size > bodySize * 0.95 &&
    lines === 1 &&
    text.length <= longestBoldHeading &&
    (type === 'paragraph' || /^\d/.test(text)) &&
    /^[\p{Lu}\p{Lo}\d]/u.test(text) &&
    /\p{L}{2}|\p{Lo}/u.test(text) &&
    !/[.,;:!?。，；：！？]$/.test(text) &&
    !caption.test(text);
  const sizes: number[] = [];
  for (const { size } of paragraphs.filter(isLarge).toSorted((one, other) => other.size - one.size))
    if ((sizes.at(-1) ?? Number.POSITIVE_INFINITY) - size > sameSize) sizes.push(size);

  return (paragraph) => {
    const level = paragraph.lines <= mostLines ? outlined.get(keyOf(paragraph.text)) : undefined;
    if (level !== undefined) return level;
    if (!isLarge(paragraph)) return isBold(paragraph) ? Math.min(deepest, sizes.length + 1) : null;
    const rank = sizes.findIndex((size) => paragraph.size > size - sameSize);
    return Math.min(deepest, rank === -1 ? sizes.length : rank + 1);
  };
}

/** Outlines leave out the numbers of chapters, or have them where the page has not. */
function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\d.\s]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
