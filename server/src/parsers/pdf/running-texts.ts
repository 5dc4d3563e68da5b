import { joinSegments, type Row } from './rows.ts';

/** On fewer pages it is not certain that a text which repeats is only there for the page. */
const leastPages = 3;
/** Page numbers are recognized on fewer pages. */
const leastNumbers = 2;
const pageNumber =
  /^[-–—|\s]*(?:page|seite|pagina|página|p\.|s\.|стр\.|第)?\s*#\s*(?:(?:\/|of|von|de|di|sur|из)\s*#)?\s*(?:页|頁|ページ)?[-–—|\s]*$/;
/** Where headers and footers stand, as part of the height of a page. */
const edge = 0.13;
/** Points that it may move from page to page. */
const tolerance = 4;

export interface PageRows {
  rows: Row[];
  height: number;
}

/**
 * Removes text that repeats at the same place on most pages, or most left or right ones, such as titles and page
 * numbers.
 */
export function withoutRunningTexts(pages: readonly PageRows[]): { pages: PageRows[]; removed: boolean } {
  const filled = pages.filter(({ rows }) => rows.length > 0).length;
  const pagesOf = new Map<string, Set<number>>();
  for (const [index, page] of pages.entries()) {
    for (const row of edgeRows(page)) {
      for (const key of keysOf(row)) pagesOf.set(key, (pagesOf.get(key) ?? new Set()).add(index));
    }
  }
  const least = Math.max(leastPages, filled * 0.4);
  let removed = false;
  const remaining = pages.map((page) => {
    const isRunning = (key: string) =>
      (pagesOf.get(key)?.size ?? 0) >= (pageNumber.test(key.slice(key.indexOf(' ') + 1)) ? leastNumbers : least);
    const running = new Set(edgeRows(page).filter((row) => keysOf(row).some(isRunning)));
    if (running.size === 0) return page;
    removed = true;
    return { ...page, rows: page.rows.filter((row) => !running.has(row)) };
  });
  return { pages: remaining, removed };
}

function edgeRows({ rows, height }: PageRows): Row[] {
  return rows.filter(({ y }) => y < height * edge || y > height * (1 - edge));
}

/** Two, as places lie on both sides of whatever one rounds to. Numbers count up from page to page. */
function keysOf(row: Row): string[] {
  const text = joinSegments(row.segments).replace(/\d+/g, '#').toLowerCase();
  const place = row.y / tolerance;
  return [`${Math.floor(place)} ${text}`, `${Math.floor(place + 0.5)}' ${text}`];
}
