import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { AdapterChooser } from '../../components/bots/adapter-chooser.tsx';
import { adaptersQuery } from '../../components/bots/bot-queries.ts';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { localized } from '../../lib/i18n.ts';
import { NewBotForm } from './new-bot-form.tsx';

const route = getRouteApi('/console/bots/new');

/** Creates a bot: first the platform, then its configuration. */
export function NewBotPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { adapter: name } = route.useSearch();
  const adapters = useQuery(adaptersQuery);
  const chosen = adapters.data?.adapters.find((adapter) => adapter.name === name);

  return (
    <Page
      title={chosen ? t('bots.connectTitle', { name: localized(chosen.label) }) : t('bots.chooseTitle')}
      introduction={chosen ? localized(chosen.description) : t('bots.chooseText')}
      back={<BackLink to={chosen ? '/bots/new' : '/bots'}>{t(chosen ? 'bots.otherPlatform' : 'bots.toList')}</BackLink>}
    >
      <Loaded query={adapters}>
        {({ adapters: all }) =>
          chosen ? (
            <NewBotForm key={chosen.name} adapter={chosen} />
          ) : (
            <AdapterChooser
              adapters={all}
              onChoose={(adapter) => void navigate({ to: '/bots/new', search: { adapter } })}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
