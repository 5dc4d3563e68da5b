import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../states/loading.tsx';
import { Failure } from '../states/page-failure.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CitationDrawer } from './citation-drawer.tsx';
import { explanationQuery } from './explanation-query.ts';
import { type CitedSource, citedPassagesOf, sourcesOf } from './passage.ts';

interface MessageSourcesOptions {
  /** Of the answer; undefined while it is not stored. */
  uuid: string | undefined;
  text: string;
  isFinal: boolean;
  /** As far as they are known; else they are loaded if the text has numbers. */
  known: readonly CitedSource[] | undefined;
}

/** The sources of an answer, whose numbers in the text can be opened. */
export function useMessageSources({ uuid, text, isFinal, known }: MessageSourcesOptions): readonly CitedSource[] {
  const isWanted = uuid !== undefined && isFinal && known === undefined && /\[[1-9]\d{0,2}\]/.test(text);
  const { data } = useQuery({ ...explanationQuery(uuid ?? ''), enabled: isWanted });
  return useMemo(() => known ?? (data === undefined ? [] : sourcesOf(data)), [known, data]);
}

interface MessageCitationsProps {
  messageUuid: string;
  /** The citation that is opened first. */
  number: number;
  onClose: () => void;
}

/** The drawer with the cited passages of an answer. */
export function MessageCitations({ messageUuid, number, onClose }: MessageCitationsProps) {
  const { t } = useTranslation();
  const query = useQuery(explanationQuery(messageUuid));
  const passages = useMemo(() => (query.data === undefined ? [] : citedPassagesOf(query.data)), [query.data]);
  const [chosen, setChosen] = useState<number | null>(null);
  const found = passages.findIndex((passage) => passage.number === number);
  if (query.data === undefined || found < 0) {
    return (
      <Dialog title={t('citations.title')} onClose={onClose}>
        <div className="mt-4">
          {query.isError ? (
            <Failure error={query.error} onRetry={() => void query.refetch()} />
          ) : query.data === undefined ? (
            <Loading rows={4} />
          ) : (
            <p className="text-muted-foreground">{t('citations.notRecorded')}</p>
          )}
        </div>
      </Dialog>
    );
  }
  return <CitationDrawer passages={passages} index={chosen ?? found} onIndex={setChosen} onClose={onClose} />;
}
