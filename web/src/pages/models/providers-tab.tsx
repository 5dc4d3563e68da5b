import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { BrainCircuit } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { isModelKind, type ModelKind, modelKinds } from './model-kind.ts';
import { type Model, type Provider, providersQuery } from './model-queries.ts';
import { ProviderCard } from './provider-card.tsx';
import { useAllModels } from './use-all-models.ts';

const route = getRouteApi('/console/models');

/** Providers with their models, with filters for name and kind. */
export function ProvidersTab() {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery);
  const models = useAllModels();
  return (
    <Loaded query={providers}>
      {(rows) => {
        if (rows.length === 0) {
          return (
            <Empty icon={BrainCircuit} title={t('models.empty')} text={t('models.emptyText')}>
              <ButtonLink to="/models/providers/new">{t('models.newProvider')}</ButtonLink>
            </Empty>
          );
        }
        return models === null ? <Loading /> : <Found providers={rows} models={models} />;
      }}
    </Loaded>
  );
}

interface FoundProps {
  providers: readonly Provider[];
  models: readonly { kind: ModelKind; model: Model }[];
}

function Found({ providers, models }: FoundProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = route.useSearch();
  const { kind, find = '' } = search;
  const id = useId();
  const change = (next: { kind?: ModelKind | undefined; find?: string | undefined }) => {
    const { kind: wantedKind, find: wanted } = { ...search, ...next };
    const nextSearch = { ...(wantedKind && { kind: wantedKind }), ...(wanted && { find: wanted }) };
    void navigate({ to: '/models', search: nextSearch, replace: true });
  };
  const holds = (text: string) => text.toLowerCase().includes(find.trim().toLowerCase());
  const isFiltered = kind !== undefined || find.trim() !== '';
  const cards = providers
    .map((provider) => ({
      provider,
      models: models.filter(
        (one) =>
          one.model.provider_uuid === provider.uuid &&
          (kind === undefined || one.kind === kind) &&
          (holds(one.model.name) || holds(provider.name)),
      ),
    }))
    .filter((card) => !isFiltered || card.models.length > 0 || (kind === undefined && holds(card.provider.name)));
  return (
    <>
      <search className="mb-5 flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56 space-y-1.5 max-sm:basis-full sm:max-w-sm">
          <Label htmlFor={`${id}-find`}>{t('models.find')}</Label>
          <Input
            id={`${id}-find`}
            type="search"
            value={find}
            onChange={(event) => change({ find: event.target.value || undefined })}
          />
        </div>
        <div className="basis-48 space-y-1.5 max-sm:basis-full">
          <Label htmlFor={`${id}-kind`}>{t('models.kind')}</Label>
          <Select
            id={`${id}-kind`}
            value={kind ?? ''}
            onChange={({ target: { value } }) => change({ kind: isModelKind(value) ? value : undefined })}
          >
            <option value="">{t('models.allKinds')}</option>
            {modelKinds.map((one) => (
              <option key={one} value={one}>
                {t(`models.kinds.${one}`)}
              </option>
            ))}
          </Select>
        </div>
      </search>
      <p role="status" className="text-muted-foreground empty:hidden">
        {cards.length === 0 && t('models.noneFound')}
      </p>
      <div className="space-y-4">
        {cards.map((card) => (
          <ProviderCard key={card.provider.uuid} {...card} />
        ))}
      </div>
    </>
  );
}
