import { useQuery } from '@tanstack/react-query';
import { Blocks, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { IsolationNotice } from './isolation-notice.tsx';
import { PluginList } from './plugin-list.tsx';
import { pluginsQuery } from './plugin-queries.ts';

/** Installed plugins, in the order in which their listeners are called. */
export function PluginsPage() {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const plugins = useQuery(pluginsQuery);
  const install = isAdmin && (
    <ButtonLink to="/plugins/install">
      <Plus aria-hidden />
      {t('plugins.install')}
    </ButtonLink>
  );
  return (
    <Page title={t('plugins.title')} introduction={t('plugins.introduction')} actions={install}>
      <div className="mb-5">
        <IsolationNotice />
      </div>
      <Loaded query={plugins}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={Blocks} title={t('plugins.empty')} text={t('plugins.emptyText')}>
              {install}
            </Empty>
          ) : (
            <PluginList plugins={rows} />
          )
        }
      </Loaded>
    </Page>
  );
}
