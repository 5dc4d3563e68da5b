import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BrainCircuit } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { changedSearch, pageQuery, type SearchChange, searchedText } from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { number } from '../../lib/number-text.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { isModelKind, modelKinds } from './model-kind.ts';
import {
  type Ability,
  type Model,
  type ModelFilter,
  modelsPageQuery,
  modelUsageQuery,
  providersQuery,
} from './model-queries.ts';
import type { ModelsSearch, modelOrders } from './routes.ts';
import { useDeleteModel } from './use-delete-model.ts';

const route = getRouteApi('/console/models');
const fallbackOrder = 'name';
const abilities: readonly Ability[] = ['vision', 'func_call'];

/** The models of one kind, of all providers. */
export function ModelsTab() {
  const { t, i18n } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const search = route.useSearch();
  const { kind = 'llm', provider } = search;
  const filter: ModelFilter = {
    ...searchedText(search.q),
    ...(provider !== undefined && { provider_uuid: provider }),
  };
  const models = useQuery(
    modelsPageQuery(kind, { ...filter, ...pageQuery<(typeof modelOrders)[number]>(search, fallbackOrder) }),
  );
  const providers = useQuery(providersQuery).data ?? [];
  const remove = useDeleteModel(kind);
  const change = useCallback(
    (next: SearchChange<ModelsSearch>) => void navigate({ search: (now) => changedSearch(now, next), replace: true }),
    [navigate],
  );

  const usage = useQuery({ ...modelUsageQuery, enabled: kind === 'llm' }).data;
  const money = useMoney();
  const usageOf = ({ name }: Model) => usage?.get(name.toLowerCase());
  const used: Column<Model>[] = [
    {
      key: 'calls',
      heading: t('models.usedCalls'),
      align: 'end',
      cell: (model) => usage && number(usageOf(model)?.llm_calls ?? 0, i18n.language),
    },
    {
      key: 'tokens',
      heading: t('models.usedTokens'),
      align: 'end',
      cell: (model) => usage && number(usageOf(model)?.total_tokens ?? 0, i18n.language),
    },
    {
      key: 'cost',
      heading: t('models.usedCost'),
      align: 'end',
      cell: (model) => usage && money(usageOf(model)?.cost ?? 0),
    },
  ];
  const columns: Column<Model>[] = [
    {
      key: 'name',
      heading: t('models.model'),
      order: 'name',
      isTitle: true,
      cell: ({ uuid, name, abilities: own }) => (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to="/models/$kind/$uuid"
            params={{ kind, uuid }}
            className="rounded break-all underline-offset-4 hover:underline"
          >
            {name}
          </Link>
          {abilities
            .filter((ability) => own?.includes(ability))
            .map((ability) => (
              <Badge key={ability}>{t(`models.abilityBadges.${ability}`)}</Badge>
            ))}
        </span>
      ),
    },
    {
      key: 'provider',
      heading: t('models.provider'),
      order: 'provider',
      cell: ({ provider_uuid }) => (
        <Link
          to="/models/providers/$uuid"
          params={{ uuid: provider_uuid }}
          className="rounded break-all underline-offset-4 hover:underline"
        >
          {providers.find(({ uuid }) => uuid === provider_uuid)?.name}
        </Link>
      ),
    },
    ...(kind === 'llm' ? used : []),
    {
      key: 'updated',
      heading: t('common.updated'),
      order: 'updated_at',
      cell: ({ updated_at }) => <RelativeTime timestamp={updated_at} />,
    },
  ];

  return (
    <RecordList
      key={kind}
      label={t(`models.kinds.${kind}`)}
      noun="models"
      query={models}
      columns={columns}
      idOf={({ uuid }) => uuid}
      nameOf={({ name }) => name}
      search={search}
      searchLabel={t('models.find')}
      fallbackOrder={fallbackOrder}
      onSearch={change}
      onClear={() => void navigate({ search: { tab: 'models', ...(search.kind && { kind: search.kind }) } })}
      filter={filter}
      filters={
        <>
          <Select
            className="w-56"
            aria-label={t('models.kind')}
            value={kind}
            onChange={({ target: { value } }) =>
              change({ kind: isModelKind(value) && value !== 'llm' ? value : undefined, page: undefined })
            }
          >
            {modelKinds.map((one) => (
              <option key={one} value={one}>
                {t(`models.kinds.${one}`)}
              </option>
            ))}
          </Select>
          <Select
            className="w-48"
            aria-label={t('models.provider')}
            value={provider ?? ''}
            onChange={({ target: { value } }) => change({ provider: value || undefined, page: undefined })}
          >
            <option value="">{t('models.allProviders')}</option>
            {providers.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </Select>
        </>
      }
      empty={<Empty icon={BrainCircuit} title={t('lists.nothing')} text={t('models.noModels')} />}
      exported={{ path: `/api/v1/provider/models/${kind}/export`, file: `${kind}-models` }}
      bulk={{
        actions: ['delete'],
        send: (body, keepalive) => api.post(`/api/v1/provider/models/${kind}/bulk`, { body: body as never, keepalive }),
        refresh: () => queries.invalidateQueries({ queryKey: ['models'] }),
        deleteText: t('models.deleteModelText'),
      }}
      actions={(model) => (
        <ActionMenu
          subject={model.name}
          onEdit={() => void navigate({ to: '/models/$kind/$uuid', params: { kind, uuid: model.uuid } })}
          onDelete={() => remove(model)}
        />
      )}
    />
  );
}
