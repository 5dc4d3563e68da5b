import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CircleStop, Download, RefreshCw, RotateCcw, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../components/data-table.tsx';
import {
  changedSearch,
  type ListSearch,
  pageQuery,
  type SearchChange,
  searchedText,
} from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { fileSize } from '../../lib/file-size.ts';
import { DocumentStage } from './document-stage.tsx';
import {
  type DocumentFilter,
  documentCountQuery,
  documentsPageQuery,
  type KnowledgeBase,
  type KnowledgeDocument,
} from './knowledge-queries.ts';
import { type BaseSearch, type documentOrders, stageFilters } from './routes.ts';
import { UploadArea } from './upload-area.tsx';
import { possibleWith, useDocumentActions } from './use-document-actions.ts';

const route = getRouteApi('/console/knowledge/$uuid');
/** Newest first. */
const fallbackOrder = '-created_at';
const states = { underWay: 'in_progress', ready: 'ready', failed: 'failed' } as const;

/** The documents of a base: upload and progress. */
export function DocumentsTab({ base }: { base: KnowledgeBase }) {
  return (
    <>
      <UploadArea base={base.uuid} />
      <DocumentList base={base.uuid} />
    </>
  );
}

function DocumentList({ base }: { base: string }) {
  const { t, i18n } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const { name, stage, sort, page } = route.useSearch();
  const search: ListSearch = { ...(name && { q: name }), ...(sort && { sort }), ...(page && { page }) };
  const filter: DocumentFilter = { ...searchedText(name), ...(stage && { state: states[stage] }) };
  const documents = useQuery(
    documentsPageQuery(base, { ...filter, ...pageQuery<(typeof documentOrders)[number]>(search, fallbackOrder) }),
  );
  const change = useCallback(
    ({ q, ...next }: SearchChange<ListSearch & Pick<BaseSearch, 'stage'>>) =>
      void navigate({
        search: (now) => changedSearch(now, { ...next, name: q === undefined && !('q' in next) ? now.name : q }),
        replace: true,
      }),
    [navigate],
  );
  const actions = useDocumentActions(base);
  const number = new Intl.NumberFormat(i18n.language);
  const columns: Column<KnowledgeDocument>[] = [
    {
      key: 'name',
      heading: t('knowledge.document'),
      order: 'file_name',
      isTitle: true,
      cell: ({ uuid, file_name }) => (
        <Link
          to="/knowledge/$uuid/files/$file"
          params={{ uuid: base, file: uuid }}
          className="rounded break-all underline-offset-4 hover:underline"
        >
          {file_name}
        </Link>
      ),
    },
    {
      key: 'stage',
      heading: t('common.state'),
      order: 'stage',
      cell: (document) => <DocumentStage document={document} />,
    },
    {
      key: 'pages',
      heading: t('knowledge.pages'),
      align: 'end',
      cell: ({ page_count }) => (page_count === 0 ? '–' : number.format(page_count)),
    },
    {
      key: 'chunks',
      heading: t('knowledge.chunks'),
      order: 'chunk_count',
      align: 'end',
      cell: ({ chunk_count }) => number.format(chunk_count),
    },
    {
      key: 'size',
      heading: t('knowledge.size'),
      order: 'size',
      align: 'end',
      className: 'whitespace-nowrap',
      cell: ({ size }) => fileSize(size, i18n.language),
    },
    {
      key: 'added',
      heading: t('knowledge.added'),
      order: 'created_at',
      className: 'whitespace-nowrap',
      cell: ({ created_at }) => <RelativeTime timestamp={created_at} />,
    },
  ];
  return (
    <RecordList
      label={t('knowledge.documents')}
      noun="documents"
      query={documents}
      columns={columns}
      idOf={({ uuid }) => uuid}
      nameOf={({ file_name }) => file_name}
      search={search}
      searchLabel={t('knowledge.searchDocuments')}
      fallbackOrder={fallbackOrder}
      onSearch={change}
      onClear={() => void navigate({ search: {} })}
      filter={filter}
      filters={
        <>
          <Select
            className="w-44"
            aria-label={t('common.state')}
            value={stage ?? ''}
            onChange={({ target: { value } }) =>
              change({ stage: stageFilters.find((one) => one === value), page: undefined })
            }
          >
            <option value="">{t('knowledge.allStages')}</option>
            {stageFilters.map((one) => (
              <option key={one} value={one}>
                {t(`knowledge.stageFilters.${one}`)}
              </option>
            ))}
          </Select>
          <Counts base={base} />
        </>
      }
      empty={<p className="py-8 text-center text-pretty text-muted-foreground">{t('knowledge.noDocuments')}</p>}
      exported={{ path: `/api/v1/knowledge/bases/${base}/files/export`, file: 'documents' }}
      bulk={{
        actions: ['retry', 'delete'],
        send: (body, keepalive) =>
          api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/bulk', {
            params: { path: { knowledge_base_uuid: base } },
            body: body as never,
            keepalive,
          }),
        refresh: () => queries.invalidateQueries({ queryKey: ['knowledge'] }),
        deleteText: t('knowledge.deleteDocumentsText'),
      }}
      actions={(document) => {
        const { canRetry, canReindex, canCancel } = possibleWith(document);
        return (
          <span className="inline-flex items-center gap-1">
            {canRetry && (
              <Button
                variant="outline"
                size="small"
                className="max-md:hidden"
                disabled={actions.isBusy}
                aria-label={`${t('common.retry')}: ${document.file_name}`}
                onClick={() => actions.retry(document.uuid)}
              >
                <RotateCcw aria-hidden />
                {t('common.retry')}
              </Button>
            )}
            <ActionMenu
              subject={document.file_name}
              actions={[
                ...(canRetry
                  ? [{ label: t('common.retry'), icon: RotateCcw, onSelect: () => actions.retry(document.uuid) }]
                  : []),
                ...(canCancel
                  ? [{ label: t('common.cancel'), icon: CircleStop, onSelect: () => actions.cancel(document.uuid) }]
                  : []),
                ...(canReindex
                  ? [{ label: t('knowledge.reindex'), icon: RefreshCw, onSelect: () => actions.reindex(document.uuid) }]
                  : []),
                { label: t('common.download'), icon: Download, onSelect: () => void actions.download(document) },
                {
                  label: t('common.remove'),
                  icon: Trash2,
                  destructive: true,
                  onSelect: () => actions.remove(document),
                },
              ]}
            />
          </span>
        );
      }}
    />
  );
}

/** How many documents are in progress, and how many failed. */
function Counts({ base }: { base: string }) {
  const { t } = useTranslation();
  const underWay = useQuery(documentCountQuery(base, 'in_progress')).data ?? 0;
  const failed = useQuery(documentCountQuery(base, 'failed')).data ?? 0;
  return (
    <p role="status" className="text-sm text-muted-foreground sm:ml-auto">
      {[
        ...(underWay > 0 ? [t('knowledge.underWayCount', { count: underWay })] : []),
        ...(failed > 0 ? [t('knowledge.failedCount', { count: failed })] : []),
      ].join(' · ')}
    </p>
  );
}
