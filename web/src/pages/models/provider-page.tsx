import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Boxes, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { AddModelsTab } from './add-models-tab.tsx';
import { DeleteProviderDialog } from './delete-provider-dialog.tsx';
import { type Provider, providerQuery, type Requester, requestersQuery } from './model-queries.ts';
import { ProviderConfiguration } from './provider-configuration.tsx';
import { ProviderModels } from './provider-models.tsx';
import { RequesterIcon, RequesterLabel } from './requester-name.tsx';
import { useAllModels } from './use-all-models.ts';

const route = getRouteApi('/console/models/providers/$uuid');

/** One provider: its models, further available models, and its connection. */
export function ProviderPage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const provider = useQuery(providerQuery(uuid));
  const requesters = useQuery(requestersQuery);
  const back = <BackLink to="/models">{t('models.toList')}</BackLink>;
  if (provider.data !== undefined && requesters.data !== undefined) {
    const requester = requesters.data.find(({ name }) => name === provider.data.requester);
    return <ShownProvider key={uuid} provider={provider.data} requester={requester} back={back} />;
  }
  return (
    <Page title={t('models.provider')} back={back}>
      <Loaded query={provider}>{() => <Loaded query={requesters}>{() => null}</Loaded>}</Loaded>
    </Page>
  );
}

interface ShownProviderProps {
  provider: Provider;
  requester: Requester | undefined;
  back: React.ReactNode;
}

function ShownProvider({ provider, requester, back }: ShownProviderProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab = 'models' } = route.useSearch();
  const [isLeaving, setLeaving] = useState(false);
  const models = useAllModels()?.filter(({ model }) => model.provider_uuid === provider.uuid);
  return (
    <Page
      title={provider.name}
      back={back}
      actions={
        <Button variant="outline" size="small" onClick={() => setLeaving(true)}>
          <Trash2 aria-hidden />
          {t('common.delete')}
        </Button>
      }
    >
      <div className="-mt-4 mb-5 flex items-center gap-2 text-sm text-muted-foreground">
        <RequesterIcon name={provider.requester} />
        <RequesterLabel name={provider.requester} />
      </div>
      {requester === undefined && (
        <Alert className="mb-5">{t('models.notInstalled', { name: provider.requester })}</Alert>
      )}
      <Tabs
        label={t('models.providerTabs')}
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/models/providers/$uuid',
            params: { uuid: provider.uuid },
            search: { tab: next },
            replace: true,
          })
        }
        tabs={[
          {
            value: 'models',
            label: t('models.models'),
            content:
              models?.length === 0 ? (
                <Empty icon={Boxes} title={t('models.noModels')} text={t('models.offeredText')}>
                  <ButtonLink to="/models/providers/$uuid" params={{ uuid: provider.uuid }} search={{ tab: 'add' }}>
                    {t('models.addModels')}
                  </ButtonLink>
                </Empty>
              ) : (
                <section className="overflow-hidden rounded-2xl border bg-card [&>div:first-of-type>h3]:border-t-0">
                  <h2 className="sr-only">{t('models.models')}</h2>
                  <ProviderModels models={models ?? []} />
                </section>
              ),
          },
          {
            value: 'add',
            label: t('models.addModels'),
            content: requester && <AddModelsTab provider={provider} requester={requester} models={models ?? []} />,
          },
          {
            value: 'configuration',
            label: t('models.configuration'),
            content: <ProviderConfiguration provider={provider} requester={requester} />,
          },
        ]}
      />
      {isLeaving && (
        <DeleteProviderDialog
          provider={provider}
          onDeleted={() => navigate({ to: '/models', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </Page>
  );
}
