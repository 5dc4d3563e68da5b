import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { MoreRows } from '../../components/more-rows.tsx';
import { Section } from '../../components/page.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { chunksQuery, type KnowledgeChunk } from './knowledge-queries.ts';
import { placeText } from './place-text.ts';

/** The chunks of a document, in order. */
export function ChunkList({ base, file }: { base: string; file: string }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(chunksQuery(base, file));
  const { data, isError, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (data === undefined) {
    return isError ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={3} />;
  }
  const chunks = data.pages.flatMap((page) => page.chunks);
  const total = data.pages[0]?.total ?? 0;
  return (
    <Section title={t('knowledge.chunkCount', { count: total })} text={t('knowledge.chunksText')}>
      {chunks.length === 0 ? (
        <p className="text-muted-foreground">{t('knowledge.noChunks')}</p>
      ) : (
        <div className={chunks.length > 3 ? 'h-[min(44rem,80dvh)]' : ''}>
          <VirtualList
            label={t('knowledge.chunks')}
            rows={chunks}
            rowKey={({ id }) => id}
            estimatedHeight={220}
            onEnd={onEnd}
          >
            {(chunk) => <Chunk chunk={chunk} />}
          </VirtualList>
        </div>
      )}
      <MoreRows query={list} isAutomatic />
    </Section>
  );
}

function Chunk({ chunk }: { chunk: KnowledgeChunk }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { position, text, heading_path, start, end } = chunk;
  const place = placeText(chunk, t);
  return (
    <div className="px-4 py-3">
      <p className="mb-1.5 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted-foreground">
        <span className="font-medium text-foreground tabular-nums">{position + 1}</span>
        {heading_path.length > 0 && <span className="min-w-0 break-words">{heading_path.join(' › ')}</span>}
        {place !== '' && <span>{place}</span>}
        <span className="tabular-nums">
          {t('knowledge.span', { start: number.format(start), end: number.format(end) })}
        </span>
      </p>
      <p className="text-sm leading-relaxed break-words whitespace-pre-wrap">{text}</p>
    </div>
  );
}
