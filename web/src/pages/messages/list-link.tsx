import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessagesSearch } from './messages-search.ts';

/** The last filters of the list. */
let last: MessagesSearch = {};

export function rememberList(search: MessagesSearch): void {
  last = search;
}

/** A link back to the list with its filters. */
export function ListLink() {
  const { t } = useTranslation();
  return (
    <Link
      to="/messages"
      search={last}
      className="inline-flex items-center gap-1 rounded py-0.5 text-muted-foreground underline-offset-4 hover:underline"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {t('messages.title')}
    </Link>
  );
}
