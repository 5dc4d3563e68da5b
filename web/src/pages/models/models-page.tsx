import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { ModelsTab } from './models-tab.tsx';
import { PricesTab } from './prices-tab.tsx';
import { ProvidersTab } from './providers-tab.tsx';

const route = getRouteApi('/console/models');

/** Providers with their models, and prices. */
export function ModelsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab = 'list' } = route.useSearch();
  return (
    <Page
      title={t('models.title')}
      introduction={t('models.introduction')}
      actions={
        <ButtonLink to="/models/providers/new">
          <Plus aria-hidden />
          {t('models.newProvider')}
        </ButtonLink>
      }
    >
      <Tabs
        label={t('models.tabs')}
        value={tab}
        onChange={(next) => void navigate({ to: '/models', search: { tab: next }, replace: true })}
        tabs={[
          { value: 'list', label: t('models.list'), content: <ProvidersTab /> },
          { value: 'models', label: t('models.allModels'), content: <ModelsTab /> },
          { value: 'prices', label: t('models.prices'), content: <PricesTab /> },
        ]}
      />
    </Page>
  );
}
