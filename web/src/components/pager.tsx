import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from './ui/button.tsx';

interface PagerProps {
  page: number;
  total: number;
  /** Rows on a page. */
  size: number;
  previous: string;
  next: string;
  onChange: (page: number) => void;
}

/** Pagination of a table; nothing for a single page. */
export function Pager({ page, total, size, previous, next, onChange }: PagerProps) {
  const { t } = useTranslation();
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1 && page === 1) return null;
  return (
    <nav aria-label={t('lists.pager.label')} className="mt-4 flex items-center justify-center gap-3 text-sm">
      <Button variant="outline" size="small" disabled={page <= 1} onClick={() => onChange(Math.min(page - 1, last))}>
        <ChevronLeft aria-hidden />
        {previous}
      </Button>
      <span role="status" className="text-muted-foreground tabular-nums">
        {t('lists.pager.page', { page, last })}
      </span>
      <Button variant="outline" size="small" disabled={page >= last} onClick={() => onChange(page + 1)}>
        {next}
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
}
