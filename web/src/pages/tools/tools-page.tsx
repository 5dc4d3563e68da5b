import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { McpServers } from './mcp-servers.tsx';

/** Where tools come from, a section for each kind of source. */
export function ToolsPage() {
  const { t } = useTranslation();
  return (
    <Page
      title={t('tools.title')}
      introduction={t('tools.introduction')}
      actions={
        <ButtonLink to="/tools/servers/new">
          <Plus aria-hidden />
          {t('tools.newServer')}
        </ButtonLink>
      }
    >
      <McpServers />
    </Page>
  );
}
