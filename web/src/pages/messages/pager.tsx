import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { tablePageSize } from './message-queries.ts';

interface PagerProps {
  page: number;
  total: number;
  onChange: (page: number) => void;
}

/** Pagination of a table; nothing for a single page. */
export function Pager({ page, total, onChange }: PagerProps) {
  const { t } = useTranslation();
  const last = Math.max(1, Math.ceil(total / tablePageSize));
  if (last === 1 && page === 1) return null;
  return (
    <nav aria-label={t('messages.pager.label')} className="mt-4 flex items-center justify-center gap-3 text-sm">
      <Button variant="outline" size="small" disabled={page <= 1} onClick={() => onChange(Math.min(page - 1, last))}>
        <ChevronLeft aria-hidden />
        {t('messages.pager.newer')}
      </Button>
      <span role="status" className="text-muted-foreground tabular-nums">
        {t('messages.pager.page', { page, last })}
      </span>
      <Button variant="outline" size="small" disabled={page >= last} onClick={() => onChange(page + 1)}>
        {t('messages.pager.older')}
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
}
