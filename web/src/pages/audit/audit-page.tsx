import type { components } from '@parley/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { api } from '../../lib/api.ts';
import { actionText } from './action-text.ts';
import { ActorName } from './actor-name.tsx';
import { AuditEntryDialog } from './audit-entry-dialog.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearch, auditQuery } from './audit-search.ts';
import { useFieldLabel } from './field-labels.ts';
import { recordName } from './record-name.ts';

type AuditEntry = components['schemas']['AuditEntry'];

/** The audit log; filters and the open entry are in the URL. */
export function AuditPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: AuditSearch = useSearch({ from: '/console/audit' });
  const filter = auditQuery(search);
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) =>
      api.get('/api/v1/audit', {
        params: { query: { ...filter, limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const show = (next: AuditSearch) => void navigate({ to: '/audit', search: next });
  const entries = query.data?.pages.flatMap((page) => page.entries);
  const { entry: open, ...filters } = search;
  const labelOf = useFieldLabel(new Set(entries?.map(({ record_kind }) => record_kind)));

  return (
    <Page title={t('navigation.audit')} introduction={t('audit.introduction')} width="wide">
      <AuditFilters search={filters} onChange={show} />
      {entries === undefined && query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {entries === undefined && query.isPending && <Loading rows={8} />}
      {entries?.length === 0 && <Empty icon={ScrollText} title={t('audit.empty')} text={t('audit.emptyText')} />}
      {entries !== undefined && entries.length > 0 && (
        <DataTable
          label={t('navigation.audit')}
          rows={entries}
          rowKey={({ id }) => String(id)}
          columns={[
            {
              key: 'action',
              heading: t('audit.what'),
              isTitle: true,
              className: 'md:min-w-44',
              cell: (entry: AuditEntry) => (
                <button
                  type="button"
                  className="min-h-6 rounded text-left underline-offset-4 hover:underline"
                  onClick={() => show({ ...filters, entry: entry.id })}
                >
                  {actionText(entry.action, t)}
                </button>
              ),
            },
            {
              key: 'record',
              heading: t('audit.record'),
              className: 'md:max-w-60',
              isEmpty: (entry) => recordName(entry) === '',
              cell: (entry) => <span className="block truncate">{recordName(entry) || '–'}</span>,
            },
            {
              key: 'changed',
              heading: t('audit.fields'),
              className: 'md:max-w-56',
              isEmpty: ({ changed }) => changed.length === 0,
              cell: (entry) => (
                <span className="block truncate text-muted-foreground" title={entry.changed.join(', ')}>
                  {entry.changed.map((path) => labelOf(entry, path) ?? path).join(', ') || '–'}
                </span>
              ),
            },
            {
              key: 'actor',
              heading: t('audit.who'),
              cell: (entry) => (
                <>
                  <ActorName entry={entry} />
                  {entry.address !== '' && <p className="text-xs text-muted-foreground">{entry.address}</p>}
                </>
              ),
            },
            {
              key: 'time',
              heading: t('audit.when'),
              className: 'whitespace-nowrap',
              cell: ({ created_at }) => <RelativeTime timestamp={created_at} />,
            },
          ]}
        />
      )}
      <MoreRows query={query} />
      {open !== undefined && (
        <AuditEntryDialog
          id={open}
          known={entries?.find(({ id }) => id === open)}
          onFilter={show}
          onClose={() => show(filters)}
        />
      )}
    </Page>
  );
}
