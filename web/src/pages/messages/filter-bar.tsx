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
import { type Named, useBotNames, usePipelineNames } from './use-names.ts';

/** Filters that are collapsed by default. */
const further = ['pipeline', 'reason', 'direction', 'type', 'person'] as const;

interface FilterBarProps {
  search: MessagesSearch;
  /** `list`: all filters; `table`: bot, pipeline and time; `feedback`: likes and dislikes as well. */
  kind: 'list' | 'table' | 'feedback';
}

interface FiltersProps {
  search: MessagesSearch;
  onChange: (part: { [Name in keyof MessagesSearch]?: MessagesSearch[Name] | undefined }) => void;
}

/** Filters, all in the URL. */
export function FilterBar({ search, kind }: FilterBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { bots } = useBotNames();
  const used = further.filter((name) => search[name] !== undefined);
  const [isOpen, setOpen] = useState(used.length > 0);
  const more = useId();
  const isFiltered =
    Object.entries(search).filter(([name, value]) => value !== undefined && name !== 'tab' && name !== 'page').length >
    0;

  const change: FiltersProps['onChange'] = (part) => {
    const next = Object.entries({ ...search, page: undefined, ...part });
    void navigate({
      to: '/messages',
      search: Object.fromEntries(next.filter(([, value]) => value !== undefined)),
      replace: true,
    });
  };
  const filters = { search, onChange: change };

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
        <SelectFilter {...filters} name="bot" label={t('messages.filters.bot')} options={bots.map(asOption)} />
        {kind === 'list' && (
          <SelectFilter
            {...filters}
            name="state"
            label={t('messages.filters.state')}
            options={messageStates.map((value) => ({ value, label: outcomeWords(value, t) }))}
          />
        )}
        {kind === 'feedback' && (
          <SelectFilter
            {...filters}
            name="opinion"
            label={t('messages.filters.opinion')}
            options={opinions.map((value) => ({ value, label: t(`messages.opinions.${value}`) }))}
          />
        )}
        {kind !== 'list' && <PipelineFilter {...filters} />}
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
          {/* Not before they are shown: there may be hundreds of pipelines. */}
          {isOpen && <FurtherFilters {...filters} />}
        </div>
      )}
    </search>
  );
}

function FurtherFilters({ search, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const filters = { search, onChange };
  return (
    <>
      <PipelineFilter {...filters} />
      <SelectFilter
        {...filters}
        name="direction"
        label={t('messages.filters.direction')}
        options={directions.map((value) => ({ value, label: t(`messages.directions.${value}`) }))}
      />
      <Select
        aria-label={t('messages.filters.reason')}
        value={search.reason ?? ''}
        onChange={(event) => onChange({ reason: event.target.value || undefined })}
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
      <SelectFilter
        {...filters}
        name="type"
        label={t('messages.filters.type')}
        options={sessionTypes.map((value) => ({ value, label: t(`messages.types.${value}`) }))}
      />
      <TypedFilter
        label={t('messages.filters.person')}
        value={search.person}
        longest={255}
        onChange={(person) => onChange({ person })}
        className="min-w-44 flex-1 basis-44 sm:max-w-64"
      />
    </>
  );
}

function PipelineFilter(filters: FiltersProps) {
  const { t } = useTranslation();
  const { pipelines } = usePipelineNames();
  return (
    <SelectFilter
      {...filters}
      name="pipeline"
      label={t('messages.filters.pipeline')}
      options={pipelines.map(asOption)}
    />
  );
}

interface SelectFilterProps extends FiltersProps {
  name: keyof MessagesSearch;
  label: string;
  options: readonly { value: string; label: string }[];
}

function SelectFilter({ search, onChange, name, label, options }: SelectFilterProps) {
  const { t } = useTranslation();
  const value = search[name];
  return (
    <Select
      aria-label={label}
      value={String(value ?? '')}
      onChange={(event) => onChange({ [name]: event.target.value || undefined })}
      className="min-w-36 flex-1 basis-40 sm:max-w-56"
    >
      <option value="">{label}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {/* What is in the address stays chosen, also where it is gone. */}
      {value !== undefined && !options.some((option) => option.value === value) && (
        <option value={String(value)}>{t('common.gone')}</option>
      )}
    </Select>
  );
}

const asOption = ({ uuid, name }: Named) => ({ value: uuid, label: name });
