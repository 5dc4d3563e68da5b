import type { TFunction } from 'i18next';

/** "Page 3" or "Pages 3–4"; empty for formats without pages. */
export function placeText({ page, page_end }: { page: number | null; page_end: number | null }, t: TFunction): string {
  if (page === null) return '';
  if (page_end === null || page_end === page) return t('knowledge.page', { page });
  return t('knowledge.pageRange', { from: page, to: page_end });
}
