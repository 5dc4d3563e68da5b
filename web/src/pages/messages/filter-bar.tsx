import { useNavigate } from '@tanstack/react-router';
import { ListFilter, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { outcomeWords } from '../../components/explain/explain-words.ts';
import { TypedFilter } from '../../components/lists/typed-filter.tsx';
import { TimeRangeSelect } from '../../components/time-range/time-range-select.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Select } from '../../components/ui/select.tsx';
import { reasonsOfMessages } from './message-words.ts';
import { directions, type MessagesSearch, messageStates, opinions, sessionTypes } from './messages-search.ts';
import { ReasonOption } from './reason-option.tsx';
import { useNames } from './use-names.ts';

/** Filters that are collapsed by default. */
const further = ['pipeline', 'reason', 'direction', 'type', 'person'] as const;

interface FilterBarProps {
  search: MessagesSearch;
  /** `list`: all filters; `table`: bot, pipeline and time; `feedback`: likes and dislikes as well. */
  kind: 'list' | 'table' | 'feedback';
}

/** Filters, all in the URL. */
export function FilterBar({ search, kind }: FilterBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const names = useNames();
  const used = further.filter((name) => search[name] !== undefined);
  const [isOpen, setOpen] = useState(used.length > 0);
  const more = useId();
  const isFiltered =
    Object.entries(search).filter(([name, value]) => value !== undefined && name !== 'tab' && name !== 'page').length >
    0;

  const change = (part: { [Name in keyof MessagesSearch]?: MessagesSearch[Name] | undefined }) => {
    const next = Object.entries({ ...search, page: undefined, ...part });
    void navigate({
      to: '/messages',
      search: Object.fromEntries(next.filter(([, value]) => value !== undefined)),
      replace: true,
    });
  };
  const select = (name: keyof MessagesSearch, label: string, options: readonly { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      value={String(search[name] ?? '')}
      onChange={(event) => change({ [name]: event.target.value || undefined })}
      className="min-w-36 flex-1 basis-40 sm:max-w-56"
    >
      <option value="">{label}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {/* What is in the address stays chosen, also where it is gone. */}
      {search[name] !== undefined && !options.some(({ value }) => value === search[name]) && (
        <option value={String(search[name])}>{t('common.gone')}</option>
      )}
    </Select>
  );
  const named = (records: readonly { uuid: string; name: string }[]) =>
    records.map(({ uuid, name }) => ({ value: uuid, label: name }));
  const pipeline = select('pipeline', t('messages.filters.pipeline'), named(names.pipelines));

  return (
    <search aria-label={t('messages.filters.label')} className="mb-4 block space-y-2">
      <div className="flex flex-wrap items-end gap-2">
        {kind === 'list' && (
          <TypedFilter
            label={t('messages.filters.text')}
            value={search.text}
            longest={200}
            onChange={(text) => change({ text })}
            className="min-w-52 flex-[2] basis-60"
            hasIcon
          />
        )}
        {select('bot', t('messages.filters.bot'), named(names.bots))}
        {kind === 'list' &&
          select(
            'state',
            t('messages.filters.state'),
            messageStates.map((value) => ({ value, label: outcomeWords(value, t) })),
          )}
        {kind === 'feedback' &&
          select(
            'opinion',
            t('messages.filters.opinion'),
            opinions.map((value) => ({ value, label: t(`messages.opinions.${value}`) })),
          )}
        {kind !== 'list' && pipeline}
        <TimeRangeSelect all value={search} onChange={change} />
        {kind === 'list' && (
          <Button
            variant="outline"
            aria-expanded={isOpen}
            aria-controls={more}
            onClick={() => setOpen(!isOpen)}
            className="font-normal"
          >
            <ListFilter aria-hidden />
            {used.length === 0 ? t('messages.filters.more') : t('messages.filters.moreUsed', { number: used.length })}
          </Button>
        )}
        {isFiltered && (
          <Button
            variant="ghost"
            onClick={() =>
              void navigate({ to: '/messages', search: search.tab === undefined ? {} : { tab: search.tab } })
            }
          >
            <X aria-hidden />
            {t('messages.filters.clear')}
          </Button>
        )}
      </div>
      {kind === 'list' && (
        <div id={more} hidden={!isOpen} className="flex flex-wrap items-end gap-2">
          {pipeline}
          {select(
            'direction',
            t('messages.filters.direction'),
            directions.map((value) => ({ value, label: t(`messages.directions.${value}`) })),
          )}
          <Select
            aria-label={t('messages.filters.reason')}
            value={search.reason ?? ''}
            onChange={(event) => change({ reason: event.target.value || undefined })}
            className="min-w-36 flex-1 basis-40 sm:max-w-72"
          >
            <option value="">{t('messages.filters.reason')}</option>
            {(search.reason === undefined || reasonsOfMessages.includes(search.reason)
              ? reasonsOfMessages
              : [...reasonsOfMessages, search.reason]
            ).map((reason) => (
              <ReasonOption key={reason} reason={reason} />
            ))}
          </Select>
          {select(
            'type',
            t('messages.filters.type'),
            sessionTypes.map((value) => ({ value, label: t(`messages.types.${value}`) })),
          )}
          <TypedFilter
            label={t('messages.filters.person')}
            value={search.person}
            longest={255}
            onChange={(person) => change({ person })}
            className="min-w-44 flex-1 basis-44 sm:max-w-64"
          />
        </div>
      )}
    </search>
  );
}
