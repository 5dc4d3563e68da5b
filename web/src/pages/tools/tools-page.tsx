import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { McpServers } from './mcp-servers.tsx';

/** Sources of tools, a section per kind. */
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
