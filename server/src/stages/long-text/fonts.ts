import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GlobalFonts, SKRSContext2D } from '@napi-rs/canvas';

type Fonts = typeof GlobalFonts;

/** Largest file of a font, bytes; those of Chinese have 20 MB. */
const largestFont = 64 * 1024 * 1024;
/** Preferred fonts, if installed. Others are tried after these. */
const preferred = [
  ...['Noto Sans', 'Segoe UI', 'Helvetica Neue', 'Helvetica', 'Arial', 'Liberation Sans', 'DejaVu Sans'],
  ...['Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', 'Microsoft YaHei', 'PingFang SC', 'Hiragino Sans GB'],
  ...['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei', 'Noto Sans CJK JP', 'Noto Sans JP', 'Yu Gothic', 'Hiragino Sans'],
  ...['Noto Sans CJK KR', 'Noto Sans KR', 'Malgun Gothic', 'Apple SD Gothic Neo'],
];
const emoji = ['Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji'];
/** Letters of a text that are looked for in fonts. */
const largestSample = 200;
/** Characters of which a font must have at least one to be considered. */
const firstLook = 10;
/** Share of the letters that may have no glyph. */
const mostMissing = 0.05;
/** No font has it: it looks like whatever is missing. */
const missing = '\u{10fffd}';

/** Names of registered files, by path and modification time. */
const registered = new Map<string, string>();
let system: readonly string[] | undefined;

/**
 * Registers a font file, whose path must be within the folder.
 * @returns its name; null if it is missing or unusable
 */
export async function registerFont(fonts: Fonts, directory: string, path: string): Promise<string | null> {
  if (path === '' || path.includes('\0')) return null;
  try {
    const folder = await realpath(directory);
    const file = await realpath(resolve(folder, path));
    const within = relative(folder, file);
    if (within === '' || within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) return null;
    const { size, mtimeMs } = await stat(file);
    if (size > largestFont) return null;
    const known = registered.get(`${file} ${mtimeMs}`);
    if (known !== undefined) return known;
    const name = `parley-${registered.size}`;
    if (fonts.register(await readFile(file), name) === null) return null;
    registered.set(`${file} ${mtimeMs}`, name);
    return name;
  } catch {
    // There is no such file or folder, or it cannot be read.
    return null;
  }
}

/** The fonts of the system. Must be called before a file is registered. */
export function systemFonts(fonts: Fonts): readonly string[] {
  system ??= [...new Set(fonts.families.map(({ family }) => family))];
  return system;
}

/**
 * The fonts for drawing a text: the given one first, and as many others as needed. Yields between fonts, of which some
 * systems have hundreds.
 * @param available the fonts of the system
 * @returns null when too many letters have no glyph in any font
 */
export async function chooseFonts(
  available: readonly string[],
  context: SKRSContext2D,
  text: string,
  first: string | null,
): Promise<string[] | null> {
  const known = preferred.filter((family) => available.includes(family));
  const candidates = new Set([...(first === null ? [] : [first]), ...known, ...available]);
  const sample = letterSample(text);
  const chosen: string[] = [];
  let left = sample;
  for (const family of candidates) {
    await nextTurn();
    const isDrawable = drawableIn(context, family);
    if (!sampleOf(left, firstLook).some(isDrawable) && !(sample.length === 0 && chosen.length === 0)) continue;
    chosen.push(family);
    left = left.filter((letter) => !isDrawable(letter));
    if (left.length === 0) break;
  }
  if (chosen.length === 0 || left.length > sample.length * mostMissing) return null;
  return [...chosen, ...emoji.filter((family) => available.includes(family))];
}

/** @returns a test of whether a font has a glyph for a letter */
function drawableIn(context: SKRSContext2D, family: string): (letter: string) => boolean {
  context.font = `64px ${quoted(family)}`;
  const look = (letter: string) => {
    const { width, actualBoundingBoxRight: right, actualBoundingBoxAscent: top } = context.measureText(letter);
    return `${width} ${right} ${top}`;
  };
  const lookOfMissing = look(missing);
  return (letter) => look(letter) !== lookOfMissing;
}

/** The name of a font, quoted for CSS. */
export function quoted(family: string): string {
  return `"${family.replaceAll(/["\\]/g, '\\$&')}"`;
}

function letterSample(text: string): string[] {
  return sampleOf([...new Set(text.match(/[\p{L}\p{N}]/gu) ?? [])], largestSample);
}

/** So many of a list, from all over it. */
function sampleOf(list: readonly string[], count: number): string[] {
  const step = Math.max(1, list.length / count);
  return Array.from({ length: Math.min(count, list.length) }, (_, index) => list[Math.floor(index * step)] ?? '');
}
