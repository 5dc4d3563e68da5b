import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { actionText, kindText } from './action-text.ts';
import { type AuditKind, auditActions, isAuditKind } from './audit-actions.ts';
import type { AuditSearch } from './audit-search.ts';

interface AuditFiltersProps {
  search: Omit<AuditSearch, 'entry'>;
  onChange: (search: AuditSearch) => void;
}

/** Filters of the log. Actors are those of recent entries. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation();
  const actors = useQuery({ queryKey: ['audit', 'actors'], queryFn: recentActors });
  const change = (name: keyof AuditSearch, value: string) => {
    const others: AuditSearch = { ...search };
    delete others[name];
    // An action belongs to one kind of record.
    if (name === 'kind') delete others.action;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  const kinds = Object.keys(auditActions) as AuditKind[];
  const chosen = search.kind ?? '';
  const actionsOf = (kind: AuditKind) => auditActions[kind].map((verb) => `${kind}.${verb}`);
  const actions = isAuditKind(chosen) ? actionsOf(chosen) : kinds.flatMap(actionsOf);
  const known = new Map(actors.data);
  if (search.actor !== undefined && !known.has(search.actor)) known.set(search.actor, search.actor);

  return (
    <div className="mb-5 grid grid-cols-2 items-end gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Filter label={t('audit.who')}>
        {(id) => (
          <Select id={id} value={search.actor ?? ''} onChange={(event) => change('actor', event.target.value)}>
            <option value="">{t('audit.anyActor')}</option>
            {[...known].map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Filter>
      <Filter label={t('audit.kind')}>
        {(id) => (
          <Select id={id} value={chosen} onChange={(event) => change('kind', event.target.value)}>
            <option value="">{t('audit.anything')}</option>
            {withGiven(kinds, chosen).map((kind) => (
              <option key={kind} value={kind}>
                {kindText(kind, t)}
              </option>
            ))}
          </Select>
        )}
      </Filter>
      <Filter label={t('audit.what')}>
        {(id) => (
          <Select id={id} value={search.action ?? ''} onChange={(event) => change('action', event.target.value)}>
            <option value="">{t('audit.anything')}</option>
            {withGiven(actions, search.action ?? '').map((action) => (
              <option key={action} value={action}>
                {actionText(action, t)}
              </option>
            ))}
          </Select>
        )}
      </Filter>
      <Filter label={t('audit.since')}>
        {(id) => (
          <Input
            id={id}
            type="date"
            max={search.until}
            value={search.since ?? ''}
            onChange={(event) => change('since', event.target.value)}
          />
        )}
      </Filter>
      <Filter label={t('audit.until')}>
        {(id) => (
          <Input
            id={id}
            type="date"
            min={search.since}
            value={search.until ?? ''}
            onChange={(event) => change('until', event.target.value)}
          />
        )}
      </Filter>
      {Object.keys(search).length > 0 && (
        <Button variant="ghost" className="justify-self-start" onClick={() => onChange({})}>
          <X aria-hidden />
          {t('audit.all')}
        </Button>
      )}
    </div>
  );
}

function Filter({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0 space-y-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children(id)}
    </div>
  );
}

/** Values in the URL stay selected, known or not. */
function withGiven(values: readonly string[], given: string): readonly string[] {
  return given === '' || values.includes(given) ? values : [...values, given];
}

/** Names of recent actors by id; the API has no list of actors. */
async function recentActors(): Promise<[id: string, name: string][]> {
  const { entries } = await api.get('/api/v1/audit', { params: { query: { limit: 200 } } });
  const named = entries.filter(({ actor_id }) => actor_id !== '');
  return [...new Map(named.map(({ actor_id, actor_name }) => [actor_id, actor_name]))];
}
