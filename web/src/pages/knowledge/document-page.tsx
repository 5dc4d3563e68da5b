import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CircleStop, Download, RefreshCw, RotateCcw, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { reasonText } from '../../lib/error-text.ts';
import { ChunkList } from './chunk-list.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentStage } from './document-stage.tsx';
import { baseQuery, type DocumentDetail, documentQuery } from './knowledge-queries.ts';
import { PageCoverage } from './page-coverage.tsx';
import { possibleWith, useDocumentActions } from './use-document-actions.ts';

const route = getRouteApi('/console/knowledge/$uuid/files/$file');

/** One document: properties, amount of text per page, and chunks. */
export function DocumentPage() {
  const { uuid, file } = route.useParams();
  const document = useQuery(documentQuery(uuid, file));
  return <Loaded query={document}>{(loaded) => <LoadedDocument base={uuid} document={loaded} />}</Loaded>;
}

function LoadedDocument({ base, document }: { base: string; document: DocumentDetail }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { data: owner } = useQuery(baseQuery(base));
  const actions = useDocumentActions(base);
  const { uuid, file_name, stage, reason, error, warnings, title } = document;
  const { canRetry, canReindex, canCancel } = possibleWith(document);
  return (
    <Page
      title={file_name}
      {...(title === null || title === file_name ? {} : { introduction: title })}
      back={
        <BackLink to="/knowledge/$uuid" params={{ uuid: base }}>
          {owner?.name ?? t('knowledge.title')}
        </BackLink>
      }
      actions={
        <>
          {canRetry && (
            <Button disabled={actions.isBusy} onClick={() => actions.retry(uuid)}>
              <RotateCcw aria-hidden />
              {t('common.retry')}
            </Button>
          )}
          {canCancel && (
            <Button variant="outline" disabled={actions.isBusy} onClick={() => actions.cancel(uuid)}>
              <CircleStop aria-hidden />
              {t('common.cancel')}
            </Button>
          )}
          <Button variant="outline" onClick={() => void actions.download(document)}>
            <Download aria-hidden />
            {t('common.download')}
          </Button>
          <ActionMenu
            subject={file_name}
            actions={[
              ...(canReindex
                ? [{ label: t('knowledge.reindex'), icon: RefreshCw, onSelect: () => actions.reindex(uuid) }]
                : []),
              {
                label: t('common.remove'),
                icon: Trash2,
                destructive: true,
                onSelect: () => {
                  actions.remove(document);
                  void navigate({ to: '/knowledge/$uuid', params: { uuid: base } });
                },
              },
            ]}
          />
        </>
      }
    >
      {stage === 'failed' ? (
        <Alert className="mb-6">
          <p className="font-medium">{reasonText(reason ?? '', t) ?? t('knowledge.stages.failed')}</p>
          {error !== null && <p className="break-words">{error}</p>}
        </Alert>
      ) : (
        <div className="mb-6 flex">
          <DocumentStage document={document} />
        </div>
      )}
      <DocumentFacts document={document} />
      {warnings.length > 0 && (
        <Section title={t('knowledge.warnings')}>
          <ul className="max-h-60 list-disc space-y-1 overflow-y-auto pl-5 text-sm break-words">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Section>
      )}
      <PageCoverage document={document} />
      <ChunkList base={base} file={uuid} />
    </Page>
  );
}
