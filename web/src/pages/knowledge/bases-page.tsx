import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { changedSearch, pageQuery, type SearchChange, searchedText } from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { DeleteBaseDialog } from './delete-base-dialog.tsx';
import { type BaseFilter, basesPageQuery, type KnowledgeBase } from './knowledge-queries.ts';
import type { BasesSearch, baseOrders } from './routes.ts';

const route = getRouteApi('/console/knowledge');
const fallbackOrder = 'created_at';

/** All knowledge bases. */
export function BasesPage() {
  const { t, i18n } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const search = route.useSearch();
  const filter: BaseFilter = {
    ...searchedText(search.q),
    ...(search.used !== undefined && { used: search.used }),
  };
  const bases = useQuery(
    basesPageQuery({ ...filter, ...pageQuery<(typeof baseOrders)[number]>(search, fallbackOrder) }),
  );
  const change = useCallback(
    (next: SearchChange<BasesSearch>) => void navigate({ search: (now) => changedSearch(now, next), replace: true }),
    [navigate],
  );
  const [leaving, setLeaving, endLeaving] = useRowDialog<KnowledgeBase>();
  const number = new Intl.NumberFormat(i18n.language);
  const newBase = (
    <ButtonLink to="/knowledge/new">
      <Plus aria-hidden />
      {t('knowledge.new')}
    </ButtonLink>
  );

  const columns: Column<KnowledgeBase>[] = [
    {
      key: 'name',
      heading: t('common.name'),
      order: 'name',
      isTitle: true,
      cell: (base) => <NameCell base={base} />,
    },
    { key: 'engine', heading: t('knowledge.engine'), cell: (base) => localized(base.knowledge_engine.name) },
    {
      key: 'documents',
      heading: t('knowledge.documents'),
      order: 'document_count',
      align: 'end',
      cell: (base) => number.format(base.document_count),
    },
    {
      key: 'chunks',
      heading: t('knowledge.chunks'),
      order: 'chunk_count',
      align: 'end',
      cell: (base) => number.format(base.chunk_count),
    },
    {
      key: 'updated',
      heading: t('common.updated'),
      order: 'updated_at',
      cell: (base) => <RelativeTime timestamp={base.updated_at} />,
    },
  ];

  return (
    <Page
      title={t('knowledge.title')}
      introduction={t('knowledge.introduction')}
      actions={bases.data !== undefined && (bases.data.total > 0 || Object.keys(filter).length > 0) && newBase}
    >
      <RecordList
        label={t('knowledge.title')}
        noun="knowledge"
        query={bases}
        columns={columns}
        idOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        search={search}
        fallbackOrder={fallbackOrder}
        onSearch={change}
        onClear={() => void navigate({ search: {} })}
        filter={filter}
        filters={
          <Select
            className="w-48"
            aria-label={t('pipelines.usedBy')}
            value={search.used === undefined ? '' : String(search.used)}
            onChange={({ target: { value } }) =>
              change({ used: value === '' ? undefined : value === 'true', page: undefined })
            }
          >
            <option value="">{t('pipelines.usedOrNot')}</option>
            <option value="true">{t('knowledge.used')}</option>
            <option value="false">{t('pipelines.notUsed')}</option>
          </Select>
        }
        empty={
          <Empty icon={BookOpen} title={t('knowledge.empty')} text={t('knowledge.emptyText')}>
            {newBase}
          </Empty>
        }
        exported={{ path: '/api/v1/knowledge/bases/export', file: 'knowledge-bases' }}
        bulk={{
          actions: ['delete'],
          send: (body, keepalive) => api.post('/api/v1/knowledge/bases/bulk', { body: body as never, keepalive }),
          refresh: () => queries.invalidateQueries({ queryKey: ['knowledge'] }),
          // Each takes its documents with it.
          alwaysAsks: true,
          deleteText: t('knowledge.deleteBasesText'),
        }}
        actions={(base) => (
          <ActionMenu
            subject={base.name}
            onEdit={() =>
              void navigate({ to: '/knowledge/$uuid', params: { uuid: base.uuid }, search: { tab: 'settings' } })
            }
            onDelete={() => setLeaving(base)}
          />
        )}
      />
      {leaving && <DeleteBaseDialog base={leaving} onClose={endLeaving} />}
    </Page>
  );
}

function NameCell({ base }: { base: KnowledgeBase }) {
  const { t } = useTranslation();
  const other = base.collections.find(({ state }) => state === 'building' || state === 'waiting');
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/knowledge/$uuid"
          params={{ uuid: base.uuid }}
          className="rounded break-all underline-offset-4 hover:underline"
        >
          {base.name}
        </Link>
        {other?.state === 'building' && <Badge tone="busy">{t('knowledge.rebuilding')}</Badge>}
        {other?.state === 'waiting' && <Badge tone="warning">{t('knowledge.waits')}</Badge>}
      </span>
      {base.description !== '' && (
        <span className="line-clamp-2 max-w-prose text-sm font-normal text-muted-foreground">{base.description}</span>
      )}
    </div>
  );
}
