import { Search } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Input } from '../../components/ui/input.tsx';
import { localized } from '../../lib/i18n.ts';
import { type FieldPlace, findFields } from './pipeline-fields.ts';

/** Maximum number of results. */
const most = 8;

interface FieldSearchProps {
  places: readonly FieldPlace[];
  onChoose: (path: string) => void;
}

/** Finds a setting by name or help, in any tab. */
export function FieldSearch({ places, onChoose }: FieldSearchProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const results = useId();
  const box = useRef<HTMLElement>(null);
  const found = findFields(places, search, localized);
  const isOpen = search.trim() !== '';
  const choose = (path: string) => {
    setSearch('');
    onChoose(path);
  };
  return (
    <search
      ref={box}
      className="relative block w-72 max-sm:w-52"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        setSearch('');
        box.current?.querySelector('input')?.focus();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setSearch('');
      }}
    >
      <Search aria-hidden className="absolute top-3.5 left-3.5 size-4 text-muted-foreground" />
      <Input
        className="pl-10"
        type="search"
        aria-label={t('pipelines.find')}
        placeholder={t('pipelines.find')}
        aria-controls={isOpen ? results : undefined}
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0] !== undefined) choose(found[0].path);
        }}
      />
      <span role="status" className="sr-only">
        {isOpen && (found.length === 0 ? t('pipelines.noneFound') : t('pipelines.found', { count: found.length }))}
      </span>
      {isOpen && (
        <div
          id={results}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-96 overflow-y-auto rounded-xl border bg-card p-1 shadow-xl"
        >
          {found.length === 0 && <p className="p-2.5 text-sm text-muted-foreground">{t('pipelines.noneFound')}</p>}
          <ul>
            {found.slice(0, most).map(({ path, tab, stage, field }) => (
              <li key={path}>
                <button
                  type="button"
                  className="block w-full rounded-lg px-2.5 py-1.5 text-left -outline-offset-2 hover:bg-muted"
                  onClick={() => choose(path)}
                >
                  <span className="block text-sm font-medium break-words">{localized(field.label)}</span>
                  <span className="block text-xs break-words text-muted-foreground">
                    {localized(tab.label)} › {localized(stage.label)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}
