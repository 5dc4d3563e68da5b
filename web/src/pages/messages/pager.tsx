import { useTranslation } from 'react-i18next';
import { Pager as Pages } from '../../components/pager.tsx';
import { tablePageSize } from './message-queries.ts';

interface PagerProps {
  page: number;
  total: number;
  onChange: (page: number) => void;
}

/** Pagination of a table that has the newest rows first. */
export function Pager(properties: PagerProps) {
  const { t } = useTranslation();
  return (
    <Pages {...properties} size={tablePageSize} previous={t('messages.pager.newer')} next={t('messages.pager.older')} />
  );
}
