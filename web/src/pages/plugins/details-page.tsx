import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { pluginQuery } from './plugin-queries.ts';
import { ShownPlugin } from './shown-plugin.tsx';

const route = getRouteApi('/console/plugins/$author/$name');

/** One plugin: consent, state, settings, what it may use, log. */
export function DetailsPage() {
  const { t } = useTranslation();
  const { author, name } = route.useParams();
  const id = `${author}/${name}`;
  const plugin = useQuery(pluginQuery(id));
  const back = <BackLink to="/plugins">{t('plugins.toList')}</BackLink>;
  if (plugin.data !== undefined) return <ShownPlugin key={id} plugin={plugin.data} back={back} />;
  return (
    <Page title={t('plugins.plugin')} back={back}>
      <Loaded query={plugin}>{() => null}</Loaded>
    </Page>
  );
}
