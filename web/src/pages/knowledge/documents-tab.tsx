import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { CircleStop, Download, RefreshCw, RotateCcw, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Select } from '../../components/ui/select.tsx';
import { fileSize } from '../../lib/file-size.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { DocumentStage } from './document-stage.tsx';
import { documentsQuery, isUnderWay, type KnowledgeBase, type KnowledgeDocument } from './knowledge-queries.ts';
import { RemoveDocumentDialog } from './remove-document-dialog.tsx';
import { stageFilters } from './routes.ts';
import { UploadArea } from './upload-area.tsx';
import { possibleWith, useDocumentActions } from './use-document-actions.ts';

const route = getRouteApi('/console/knowledge/$uuid');
/** Rendered rows. */
const rowsAtOnce = 100;

/** The documents of a base: upload and progress. */
export function DocumentsTab({ base }: { base: KnowledgeBase }) {
  const documents = useQuery(documentsQuery(base.uuid));
  return (
    <>
      <UploadArea base={base.uuid} />
      <Loaded query={documents}>{(all) => <DocumentList base={base.uuid} documents={all} />}</Loaded>
    </>
  );
}

function DocumentList({ base, documents }: { base: string; documents: readonly KnowledgeDocument[] }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { name = '', stage } = route.useSearch();
  const [leaving, setLeaving, endLeaving] = useRowDialog<KnowledgeDocument>();
  const [limit, setLimit] = useState(rowsAtOnce);
  if (documents.length === 0) {
    return <p className="py-8 text-center text-pretty text-muted-foreground">{t('knowledge.noDocuments')}</p>;
  }
  const search = (next: { name: string; stage: (typeof stageFilters)[number] | undefined }) =>
    void navigate({
      search: { ...(next.name !== '' && { name: next.name }), ...(next.stage && { stage: next.stage }) },
      replace: true,
    });
  const found = documents.filter((document) => isWanted(document, name, stage));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="relative min-w-0 flex-1 basis-56 sm:max-w-sm">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted-foreground"
          />
          <Input
            type="search"
            className="pl-10"
            aria-label={t('knowledge.searchDocuments')}
            placeholder={t('knowledge.searchDocuments')}
            value={name}
            onChange={(event) => search({ name: event.target.value, stage })}
          />
        </div>
        <Select
          className="w-44"
          aria-label={t('common.state')}
          value={stage ?? ''}
          onChange={(event) => search({ name, stage: stageFilters.find((one) => one === event.target.value) })}
        >
          <option value="">{t('knowledge.allStages')}</option>
          {stageFilters.map((filter) => (
            <option key={filter} value={filter}>
              {t(`knowledge.stageFilters.${filter}`)}
            </option>
          ))}
        </Select>
        <p role="status" className="text-sm text-muted-foreground sm:ml-auto">
          {summaryOf(documents, found.length, t)}
        </p>
      </div>
      {found.length === 0 ? (
        <p className="py-8 text-center text-muted-foreground">{t('knowledge.noMatches')}</p>
      ) : (
        <DocumentTable base={base} documents={found.slice(0, limit)} onRemove={setLeaving} />
      )}
      {found.length > limit && (
        <div className="mt-4 text-center">
          <Button variant="outline" onClick={() => setLimit(limit + rowsAtOnce)}>
            {t('common.more')}
          </Button>
        </div>
      )}
      {leaving && <RemoveDocumentDialog base={base} document={leaving} onClose={endLeaving} />}
    </>
  );
}

interface DocumentTableProps {
  base: string;
  documents: readonly KnowledgeDocument[];
  onRemove: (document: KnowledgeDocument) => void;
}

function DocumentTable({ base, documents, onRemove }: DocumentTableProps) {
  const { t, i18n } = useTranslation();
  const actions = useDocumentActions(base);
  const number = new Intl.NumberFormat(i18n.language);
  const columns: Column<KnowledgeDocument>[] = [
    {
      key: 'name',
      heading: t('knowledge.document'),
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
    { key: 'stage', heading: t('common.state'), cell: (document) => <DocumentStage document={document} /> },
    {
      key: 'pages',
      heading: t('knowledge.pages'),
      align: 'end',
      cell: ({ page_count }) => (page_count === 0 ? '–' : number.format(page_count)),
    },
    {
      key: 'chunks',
      heading: t('knowledge.chunks'),
      align: 'end',
      cell: ({ chunk_count }) => number.format(chunk_count),
    },
    {
      key: 'size',
      heading: t('knowledge.size'),
      align: 'end',
      className: 'whitespace-nowrap',
      cell: ({ size }) => fileSize(size, i18n.language),
    },
    {
      key: 'added',
      heading: t('knowledge.added'),
      className: 'whitespace-nowrap',
      cell: ({ created_at }) => <RelativeTime timestamp={created_at} />,
    },
  ];
  return (
    <DataTable
      label={t('knowledge.documents')}
      columns={columns}
      rows={documents}
      rowKey={({ uuid }) => uuid}
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
                { label: t('common.remove'), icon: Trash2, destructive: true, onSelect: () => onRemove(document) },
              ]}
            />
          </span>
        );
      }}
    />
  );
}

function isWanted(
  document: KnowledgeDocument,
  name: string,
  stage: (typeof stageFilters)[number] | undefined,
): boolean {
  if (!document.file_name.toLocaleLowerCase().includes(name.trim().toLocaleLowerCase())) return false;
  switch (stage) {
    case 'underWay':
      return isUnderWay(document);
    case 'ready':
      return document.stage === 'ready';
    case 'failed':
      return document.stage === 'failed' || document.stage === 'cancelled';
    default:
      return true;
  }
}

/** "12 documents, 3 in progress, 1 failed", or the number of matches. */
function summaryOf(documents: readonly KnowledgeDocument[], found: number, t: TFunction): string {
  if (found !== documents.length) return t('knowledge.foundOf', { found, count: documents.length });
  const underWay = documents.filter(isUnderWay).length;
  const failed = documents.filter(({ stage }) => stage === 'failed').length;
  return [
    t('knowledge.documentCount', { count: documents.length }),
    ...(underWay > 0 ? [t('knowledge.underWayCount', { count: underWay })] : []),
    ...(failed > 0 ? [t('knowledge.failedCount', { count: failed })] : []),
  ].join(' · ');
}
