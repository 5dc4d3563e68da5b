import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { DeleteProviderDialog } from './delete-provider-dialog.tsx';
import type { ModelKind } from './model-kind.ts';
import type { Model, Provider } from './model-queries.ts';
import { ProviderModels } from './provider-models.tsx';
import { RequesterIcon, RequesterLabel } from './requester-name.tsx';

interface ProviderCardProps {
  provider: Provider;
  models: readonly { kind: ModelKind; model: Model }[];
}

/** A provider with its models. */
export function ProviderCard({ provider, models }: ProviderCardProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [leaving, setLeaving, endLeaving] = useRowDialog<Provider>();
  const { uuid, name, requester, base_url, api_keys } = provider;
  const to = '/models/providers/$uuid';
  const hasModels = provider.llm_count + provider.embedding_count + provider.rerank_count > 0;
  return (
    <section className="overflow-hidden rounded-2xl border bg-card">
      <div className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
        <RequesterIcon name={requester} className="mt-0.5 size-9" />
        <div className="min-w-0 flex-1">
          <h2 className="font-medium break-words">
            <Link to={to} params={{ uuid }} className="rounded underline-offset-4 hover:underline">
              {name}
            </Link>
          </h2>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted-foreground">
            <span>
              <RequesterLabel name={requester} />
            </span>
            {base_url !== '' && <span className="break-all">{base_url}</span>}
            <span>{api_keys.length === 0 ? t('models.noKeys') : t('models.keys', { count: api_keys.length })}</span>
          </p>
        </div>
        <Button
          variant="outline"
          size="small"
          className="mt-1 max-sm:hidden"
          onClick={() => void navigate({ to, params: { uuid }, search: { tab: 'add' } })}
        >
          <Plus aria-hidden />
          {t('models.addModels')}
        </Button>
        <ActionMenu
          subject={name}
          actions={[
            {
              label: t('models.addModels'),
              icon: Plus,
              onSelect: () => void navigate({ to, params: { uuid }, search: { tab: 'add' } }),
            },
            {
              label: t('common.edit'),
              icon: Pencil,
              onSelect: () => void navigate({ to, params: { uuid }, search: { tab: 'configuration' } }),
            },
          ]}
          onDelete={() => setLeaving(provider)}
        />
      </div>
      <ProviderModels models={models} />
      {!hasModels && <p className="border-t px-4 py-3 text-sm text-muted-foreground sm:px-5">{t('models.noModels')}</p>}
      {leaving && <DeleteProviderDialog provider={leaving} onClose={endLeaving} />}
    </section>
  );
}
