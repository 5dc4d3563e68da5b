/** Formats that have a number and no text in a file, as the specification lists them. */
const builtIn = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [14, 'yyyy-mm-dd'],
  [15, 'yyyy-mm-dd'],
  [16, 'mm-dd'],
  [17, 'yyyy-mm'],
  [18, 'h:mm'],
  [19, 'h:mm:ss'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  [37, '#,##0'],
  [38, '#,##0'],
  [39, '#,##0.00'],
  [40, '#,##0.00'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
  [48, '0.0E+0'],
]);

export function builtInFormat(id: number): string {
  // Those of some languages for dates.
  if ((id >= 27 && id <= 31) || (id >= 50 && id <= 58) || id === 36) return 'yyyy-mm-dd';
  return builtIn.get(id) ?? '';
}

/** Longest format that is followed, characters: programs that calculate write no longer ones. */
const longestFormat = 255;

/** A token of a format: literal text, or marks that format the value. */
interface Token {
  literal: boolean;
  text: string;
}

/** The first day of a workbook: 1904 in files that come from old Macintosh programs. */
export interface Dates {
  from1904: boolean;
}

/**
 * A number as a sheet shows it. Dates are always ISO, like `2026-04-30`, since the order of day and month depends on
 * the locale.
 */
export function formatNumber(value: number, format: string, dates: Dates): string {
  const section = format.length > longestFormat ? null : sectionOf(value, format);
  if (section === null) return plainNumber(value);
  const tokens = tokensOf(section.text);
  const marks = tokens
    .filter(({ literal }) => !literal)
    .map(({ text }) => text)
    .join('')
    .replace(/general|am\/pm|a\/p/gi, '');
  if (marks === '' && tokens.length > 0) return place('', tokens);
  if (/[ymdhs]/i.test(marks) && !/[0#?]/.test(marks.replace(/[.,]0+/g, '')))
    return formatDate(value, marks.toLowerCase(), dates);
  const shown = formatFigures(section.absolute ? Math.abs(value) : value, marks);
  return shown === null ? plainNumber(value) : place(shown, tokens);
}

/** With as many digits as programs that calculate show: more of them are errors of rounding. */
export function plainNumber(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** @returns null where the number is shown as it is */
function sectionOf(value: number, format: string): { text: string; absolute: boolean } | null {
  const sections = splitSections(format);
  const [positive = '', negative, zero] = sections;
  if (positive.trim() === '' || /^(?:general|standard|@)$/i.test(positive.trim())) return null;
  // Conditions in brackets decide otherwise; the first section then does for all.
  if (/\[[<>=]/.test(format)) return { text: positive, absolute: false };
  if (value < 0 && negative !== undefined) return { text: negative, absolute: true };
  return { text: value === 0 && zero !== undefined ? zero : positive, absolute: false };
}

function splitSections(format: string): string[] {
  const sections = [''];
  for (const [part] of format.matchAll(/"[^"]*"?|\\.|[^"\\]/gsu)) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections;
}

function tokensOf(section: string): Token[] {
  const tokens: Token[] = [];
  for (const [part] of section.matchAll(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]?|[^"\\_*[]/gsu)) {
    if (part.startsWith('"')) tokens.push({ literal: true, text: part.replaceAll('"', '') });
    else if (part.startsWith('\\')) tokens.push({ literal: true, text: part.slice(1) });
    else if (/^[_*]/.test(part)) continue;
    else if (part.startsWith('[$'))
      tokens.push({ literal: true, text: part.slice(2).replace(/-[\da-f]*\]$|\]$/i, '') });
    else if (part.startsWith('[')) {
      // Colours and conditions are not shown; elapsed hours are.
      if (/^\[[hms]+\]$/i.test(part)) tokens.push({ literal: false, text: part });
    } else tokens.push({ literal: !/[0#?.,%e+ymdhsap/:-]/i.test(part), text: part });
  }
  return tokens;
}

/** @returns null for a format that is none of figures */
function formatFigures(value: number, marks: string): string | null {
  if (!/[0#?]/.test(marks) || marks.includes('/')) return null;
  const percent = marks.includes('%') ? 100 : 1;
  const [, decimals = ''] = /\.([0#?]*)/.exec(marks) ?? [];
  if (/e[+-]/i.test(marks)) return value.toExponential(Math.min(20, decimals.length)).toUpperCase();
  // Commas behind the last digit divide by a thousand each.
  const thousands = /,+(?=\.|[^0#?,]*$)/.exec(marks)?.[0].length ?? 0;
  const scaled = (value * percent) / 1000 ** thousands;
  if (!Number.isFinite(scaled) || Math.abs(scaled) >= 1e21) return null;
  const most = Math.min(20, decimals.length);
  const least = decimals.replaceAll('?', '#').replace(/#+$/, '').length;
  return scaled.toLocaleString('en-US', {
    minimumFractionDigits: Math.min(most, least),
    maximumFractionDigits: most,
    useGrouping: /[0#?],[0#?]/.test(marks),
  });
}

/** Puts the figures where the format has its digits, between its other texts. */
function place(figures: string, tokens: readonly Token[]): string {
  let isPlaced = false;
  let text = '';
  for (const token of tokens) {
    if (token.literal || token.text === '%' || (/[-+:/]/.test(token.text) && !isPlaced)) text += token.text;
    else if (/[0#?.,e]/i.test(token.text)) {
      if (!isPlaced) text += figures;
      isPlaced = true;
    }
  }
  return text.replace(/\s+/g, ' ').trim();
}

function formatDate(value: number, marks: string, { from1904 }: Dates): string {
  // Programs count a 29 February 1900 that never was.
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const seconds = Math.round((days - 25569) * 86_400);
  const date = new Date(seconds * 1000);
  if (value < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return plainNumber(value);
  if (marks.includes('[')) return elapsed(Math.round(value * 86_400), marks);
  const [day = '', time = ''] = date.toISOString().split('T');
  const hasYear = marks.includes('y');
  const hasDay = marks.includes('d');
  // The mark for months also means minutes, next to hours or seconds.
  const hasMonth = /m/.test(marks.replace(/h+[:.\s-]*m+|m+[:.\s-]*s+/g, ''));
  const parts: string[] = [];
  if (hasYear || hasDay || hasMonth) {
    const isWhole = hasDay && (hasYear || !hasMonth);
    parts.push(
      isWhole
        ? day
        : hasDay
          ? day.slice(5)
          : hasYear && !hasMonth
            ? day.slice(0, 4)
            : hasYear
              ? day.slice(0, 7)
              : day.slice(5, 7),
    );
  }
  if (/[hs]/.test(marks)) parts.push(marks.includes('s') ? time.slice(0, 8) : time.slice(0, 5));
  return parts.join(' ');
}

function elapsed(seconds: number, marks: string): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = two(Math.floor((seconds % 3600) / 60));
  return marks.includes('s') ? `${hours}:${minutes}:${two(seconds % 60)}` : `${hours}:${minutes}`;
}
