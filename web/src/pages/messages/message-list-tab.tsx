import { ArrowUp, MessagesSquare } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../components/states/empty.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { heldBack } from './merge-messages.ts';
import { listQuery, type Message } from './message-queries.ts';
import { MessageRow } from './message-row.tsx';
import { filtersKey, type MessagesSearch, messageFilters } from './messages-search.ts';
import { useMessageList } from './use-message-list.ts';
import { useBotNames } from './use-names.ts';

/** All messages, newest first. */
export function MessageListTab({ search }: { search: MessagesSearch }) {
  const key = filtersKey(search);
  return (
    <>
      <FilterBar search={search} kind="list" />
      <MessageList key={key} name={key} search={search} />
    </>
  );
}

function MessageList({ name, search }: { name: string; search: MessagesSearch }) {
  const { t } = useTranslation();
  const { botName } = useBotNames();
  const { rows, query, isLoadingMore, mustAsk, hasMore, more, onEnd } = useMessageList(name, () => listQuery(search));
  const [first, setFirst] = useState<Message | null>(null);
  const [generation, setGeneration] = useState(0);
  const [shown, held] = useMemo(() => heldBack(rows ?? [], first?.uuid ?? null), [rows, first]);

  if (rows === undefined) {
    return query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading rows={8} />;
  }
  const isFiltered = search.range !== undefined || messageFilters.some((filter) => search[filter] !== undefined);
  const pause = t(query.isFetchNextPageError ? 'messages.list.failed' : 'messages.list.paused');
  const further = (
    <Button variant="outline" size="small" onClick={more}>
      {t(query.isFetchNextPageError ? 'common.retry' : 'messages.list.further')}
    </Button>
  );
  if (rows.length === 0) {
    if (hasMore && !mustAsk) return <Searching />;
    return (
      <Empty
        icon={MessagesSquare}
        title={mustAsk ? pause : t(isFiltered ? 'messages.list.nothing' : 'messages.list.empty')}
        text={t(isFiltered ? 'messages.list.nothingText' : 'messages.list.emptyText')}
      >
        {mustAsk ? further : !isFiltered && <ButtonLink to="/chat">{t('messages.list.toChat')}</ButtonLink>}
      </Empty>
    );
  }
  return (
    <div className="relative">
      <p role="status" className="sr-only">
        {t('messages.list.loaded', { count: shown.length })}
      </p>
      {held > 0 && (
        <Button
          size="small"
          className="absolute top-2 left-1/2 z-10 -translate-x-1/2 rounded-full shadow-lg"
          onClick={() => {
            setFirst(null);
            setGeneration(generation + 1);
          }}
        >
          <ArrowUp aria-hidden />
          {t('messages.list.held', { count: held })}
        </Button>
      )}
      <div className="h-[calc(100dvh-18rem)] min-h-112">
        <VirtualList
          key={generation}
          label={t('messages.list.label')}
          rows={shown}
          rowKey={({ uuid }) => uuid}
          estimatedHeight={66}
          onEnd={onEnd}
          onAway={setFirst}
          {...(generation === 0 && { place: name })}
        >
          {(message) => <MessageRow message={message} botName={botName(message.bot_uuid)} />}
        </VirtualList>
      </div>
      <div className="flex min-h-11 flex-wrap items-center justify-center gap-3 pt-2">
        {(mustAsk || isLoadingMore) && (
          <span className="text-sm text-muted-foreground">{mustAsk ? pause : t('common.loading')}</span>
        )}
        {mustAsk && further}
      </div>
    </div>
  );
}

function Searching() {
  const { t } = useTranslation();
  return (
    <p role="status" className="py-16 text-center text-muted-foreground">
      {t('messages.list.searching')}
    </p>
  );
}
