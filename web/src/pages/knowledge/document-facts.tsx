import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { fileSize } from '../../lib/file-size.ts';
import type { DocumentDetail } from './knowledge-queries.ts';

/** Properties of a document. */
export function DocumentFacts({ document }: { document: DocumentDetail }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { media_type, size, page_count, page_kind, chunk_count, parser_plugin_id, attempts, metadata } = document;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-2xl border bg-card p-4 text-sm sm:grid-cols-3 lg:grid-cols-4">
      <Fact name={t('knowledge.type')}>{media_type}</Fact>
      <Fact name={t('knowledge.size')}>{fileSize(size, i18n.language)}</Fact>
      {page_count > 0 && (
        <Fact name={t(`knowledge.pageKinds.${page_kind ?? 'page'}`)}>{number.format(page_count)}</Fact>
      )}
      <Fact name={t('knowledge.chunks')}>{number.format(chunk_count)}</Fact>
      <Fact name={t('knowledge.added')}>
        <RelativeTime timestamp={document.created_at} />
      </Fact>
      {document.finished_at !== null && (
        <Fact name={t('knowledge.finished')}>
          <RelativeTime timestamp={document.finished_at} />
        </Fact>
      )}
      {attempts > 1 && <Fact name={t('knowledge.attempts')}>{number.format(attempts)}</Fact>}
      {parser_plugin_id !== null && <Fact name={t('knowledge.parser')}>{parser_plugin_id}</Fact>}
      {Object.entries(metadata).map(([key, value]) => (
        <Fact key={key} name={key}>
          {String(value)}
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="break-words text-muted-foreground">{name}</dt>
      <dd className="font-medium break-words">{children}</dd>
    </div>
  );
}
