import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { MessagesSearch } from './messages-search.ts';
import { Pager } from './pager.tsx';

interface RecordTableProps<Row> {
  search: MessagesSearch;
  label: string;
  query: UseQueryResult<{ rows: Row[]; total: number }>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  icon: LucideIcon;
  /** Empty state without filters. */
  empty: { title: string; text: string };
  filters?: 'table' | 'feedback';
}

/** Records of one kind, paginated, with filters. */
export function RecordTable<Row>(properties: RecordTableProps<Row>) {
  const { search, label, query, columns, rowKey, icon, empty, filters = 'table' } = properties;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { bot, pipeline, range, opinion, page = 1 } = search;
  const isFiltered = [bot, pipeline, range, opinion].some((value) => value !== undefined) || page > 1;
  const nothing = { title: t('messages.list.nothing'), text: t('messages.list.nothingText') };
  return (
    <>
      <FilterBar search={search} kind={filters} />
      <Loaded query={query} rows={8}>
        {({ rows, total }) => (
          <>
            {rows.length === 0 ? (
              <Empty icon={icon} {...(isFiltered ? nothing : empty)} />
            ) : (
              <DataTable label={label} columns={columns} rows={rows} rowKey={rowKey} />
            )}
            <Pager
              page={page}
              total={total}
              onChange={(next) => {
                const { page: _, ...rest } = search;
                void navigate({ to: '/messages', search: next === 1 ? rest : { ...rest, page: next } });
              }}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
