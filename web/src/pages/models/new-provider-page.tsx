import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { localized } from '../../lib/i18n.ts';
import { withCompatibleEndpoint } from './compatible-endpoint.ts';
import { requestersQuery } from './model-queries.ts';
import { NewProviderForm } from './new-provider-form.tsx';
import { RequesterChooser } from './requester-chooser.tsx';

const route = getRouteApi('/console/models/providers/new');

/** Adds a provider: first the requester, then URL and keys. */
export function NewProviderPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { requester: name } = route.useSearch();
  const requesters = useQuery(requestersQuery);
  const chosen = withCompatibleEndpoint(requesters.data ?? [], t).find((requester) => requester.name === name);
  return (
    <Page
      title={chosen ? t('models.connectTitle', { name: localized(chosen.label) }) : t('models.chooseTitle')}
      introduction={chosen ? localized(chosen.description) : t('models.chooseText')}
      back={
        <BackLink to={chosen ? '/models/providers/new' : '/models'}>
          {t(chosen ? 'models.otherProvider' : 'models.toList')}
        </BackLink>
      }
    >
      <Loaded query={requesters}>
        {(all) =>
          chosen ? (
            <NewProviderForm key={chosen.name} requester={chosen} />
          ) : (
            <RequesterChooser
              requesters={all}
              onChoose={(requester) => void navigate({ to: '/models/providers/new', search: { requester } })}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
