import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { type ModelKind, offeredKind } from './model-kind.ts';
import { type Ability, offeredQuery, type Provider } from './model-queries.ts';
import { useAddModels } from './use-add-models.ts';

interface OfferedModelsProps {
  provider: Provider;
  kind: ModelKind;
  abilities: Ability[];
  /** Names of the existing models of this kind. */
  known: readonly string[];
}

/** Selects models of a kind from the provider's list. */
export function OfferedModels({ provider, kind, abilities, known }: OfferedModelsProps) {
  const { t } = useTranslation();
  const id = useId();
  const offered = useQuery(offeredQuery(provider.uuid));
  const [find, setFind] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const add = useAddModels(kind, () => setChosen([]));

  if (offered.isPending) return <Loading />;
  if (offered.isError) {
    return (
      <FailureAlert error={offered.error} title={t('models.offeredFailed')} places={{ provider: provider.uuid }}>
        <Button variant="outline" size="small" className="mt-2" onClick={() => void offered.refetch()}>
          {t('common.retry')}
        </Button>
      </FailureAlert>
    );
  }
  const rows = offered.data.models.filter(({ kinds }) => kinds === undefined || kinds.includes(offeredKind(kind)));
  if (rows.length === 0) return <p className="text-muted-foreground">{t('models.offeredEmpty')}</p>;
  const text = find.trim().toLowerCase();
  const found = rows.filter(
    (row) => row.id.toLowerCase().includes(text) || (row.label ?? '').toLowerCase().includes(text),
  );
  const fresh = chosen.filter((name) => !known.includes(name));
  return (
    <div className="space-y-3">
      <Label htmlFor={id} className="sr-only">
        {t('models.offeredFind')}
      </Label>
      <Input
        id={id}
        type="search"
        placeholder={t('models.offeredFind')}
        value={find}
        onChange={(event) => setFind(event.target.value)}
      />
      <p role="status" className="text-muted-foreground empty:hidden">
        {found.length === 0 && t('models.offeredNone')}
      </p>
      {found.length > 0 && (
        <div style={{ height: Math.min(found.length * 45 + 2, 360) }}>
          <VirtualList label={t('models.offered')} rows={found} rowKey={(row) => row.id} estimatedHeight={45}>
            {(row) => {
              const isKnown = known.includes(row.id);
              return (
                <label className="flex min-h-11 cursor-pointer items-center gap-3 px-4 py-2 hover:bg-muted/50">
                  <input
                    type="checkbox"
                    className="size-4.5 shrink-0 accent-primary"
                    disabled={isKnown}
                    checked={isKnown || chosen.includes(row.id)}
                    onChange={(event) =>
                      setChosen(event.target.checked ? [...chosen, row.id] : chosen.filter((one) => one !== row.id))
                    }
                  />
                  <span className="min-w-0 flex-1 text-sm">
                    <span className="break-all">{row.id}</span>
                    {row.label !== undefined && row.label !== row.id && (
                      <span className="ml-2 text-muted-foreground">{row.label}</span>
                    )}
                  </span>
                  {isKnown && <Badge>{t('models.alreadyAdded')}</Badge>}
                </label>
              );
            }}
          </VirtualList>
        </div>
      )}
      {add.isError && <FailureAlert error={add.error} />}
      <Button
        disabled={fresh.length === 0 || add.isPending}
        onClick={() => add.mutate(fresh.map((name) => ({ name, provider_uuid: provider.uuid, abilities })))}
      >
        {fresh.length === 0 ? t('models.chooseSome') : t('models.chosen', { count: fresh.length })}
      </Button>
    </div>
  );
}
