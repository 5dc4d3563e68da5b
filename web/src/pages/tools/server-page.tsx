import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { DeleteServerDialog } from './delete-server-dialog.tsx';
import { ServerConfiguration } from './server-configuration.tsx';
import { type McpServer, serverQuery } from './server-queries.ts';
import { ServerState } from './server-state.tsx';
import { ServerSwitch } from './server-switch.tsx';
import { ServerTools } from './server-tools.tsx';

const route = getRouteApi('/console/tools/servers/$uuid');

/** One MCP server: how its connection is, its tools, and how it is reached. */
export function ServerPage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const server = useQuery(serverQuery(uuid));
  const back = (
    <Link to="/tools" className="rounded text-muted-foreground underline-offset-4 hover:underline">
      {t('tools.toList')}
    </Link>
  );
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
  const { tab = 'tools' } = route.useSearch();
  const [isLeaving, setLeaving] = useState(false);
  const field = useId();
  const problem = server.runtime_info?.error_message ?? null;
  return (
    <Page
      title={server.name}
      back={back}
      actions={
        <>
          <ServerSwitch server={server} id={field} />
          <Label htmlFor={field}>{t('tools.enabled')}</Label>
          <Button variant="outline" size="small" className="ml-2" onClick={() => setLeaving(true)}>
            <Trash2 aria-hidden />
            {t('common.delete')}
          </Button>
        </>
      }
    >
      <div className="-mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
        <span>{t(`tools.modes.${server.mode}`)}</span>
        <span role="status">
          <ServerState server={server} />
        </span>
      </div>
      {problem !== null && (
        <Alert className="mb-5">
          <p className="font-medium">{t('tools.problem')}</p>
          <p className="break-words">{problem}</p>
          <p>{t('tools.keepsTrying')}</p>
        </Alert>
      )}
      <Tabs
        label={t('tools.tabs')}
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/tools/servers/$uuid',
            params: { uuid: server.uuid },
            search: { tab: next },
            replace: true,
          })
        }
        tabs={[
          { value: 'tools', label: t('tools.tools'), content: <ServerTools server={server} /> },
          {
            value: 'configuration',
            label: t('tools.configuration'),
            content: <ServerConfiguration server={server} />,
          },
        ]}
      />
      {isLeaving && (
        <DeleteServerDialog
          server={server}
          onDeleted={() => navigate({ to: '/tools', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </Page>
  );
}
