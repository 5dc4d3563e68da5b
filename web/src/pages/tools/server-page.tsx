import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { Page } from '../../components/page.tsx';
import { RecordPage } from '../../components/record-page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { ServerConfiguration } from './server-configuration.tsx';
import { problemOf } from './server-problem.ts';
import { type McpServer, serverQuery } from './server-queries.ts';
import { ServerState } from './server-state.tsx';
import { ServerSwitch } from './server-switch.tsx';
import { ServerTools } from './server-tools.tsx';
import { useDeleteServer } from './use-delete-server.ts';

const route = getRouteApi('/console/tools/servers/$uuid');

/** One MCP server: connection status, tools, configuration. */
export function ServerPage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const server = useQuery(serverQuery(uuid));
  const back = <BackLink to="/tools">{t('tools.toList')}</BackLink>;
  if (server.data !== undefined) return <ShownServer key={uuid} server={server.data} back={back} />;
  return (
    <Page title={t('tools.server')} back={back}>
      <Loaded query={server}>{() => null}</Loaded>
    </Page>
  );
}

function ShownServer({ server, back }: { server: McpServer; back: React.ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteServer();
  const { tab = 'tools' } = route.useSearch();
  const params = { uuid: server.uuid };
  const problem = problemOf(server, t);
  const isLasting = server.runtime_info?.error_reason === 'mcp_command_not_allowed';
  const protection = server.runtime_info?.protection ?? null;
  return (
    <RecordPage
      title={server.name}
      back={back}
      onOff={{ label: t('tools.enabled'), control: (id) => <ServerSwitch server={server} id={id} /> }}
      facts={
        <>
          <span>{t(`tools.modes.${server.mode}`)}</span>
          {protection !== null && <span>{t(`tools.protections.${protection}`)}</span>}
        </>
      }
      state={<ServerState server={server} />}
      tabs={{
        label: t('tools.tabs'),
        value: tab,
        onChange: (next) => void navigate({ to: '/tools/servers/$uuid', params, search: { tab: next }, replace: true }),
        tabs: [
          { value: 'tools', label: t('tools.tools'), content: <ServerTools server={server} /> },
          {
            value: 'configuration',
            label: t('tools.configuration'),
            content: <ServerConfiguration server={server} />,
          },
        ],
      }}
      onDelete={() => {
        remove(server);
        void navigate({ to: '/tools', ignoreBlocker: true });
      }}
    >
      {problem !== null && (
        <Alert className="mb-5">
          <FailureContent title={t('tools.problem')} failure={problem} />
          <p>{t(isLasting ? 'tools.needsChange' : 'tools.keepsTrying')}</p>
        </Alert>
      )}
    </RecordPage>
  );
}
