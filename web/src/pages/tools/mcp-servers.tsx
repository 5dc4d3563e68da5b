import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Wrench } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useHeldKeys } from '../../components/lists/use-deletion.ts';
import { Section } from '../../components/page.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { nextStep } from '../../lib/failure.ts';
import { problemOf } from './server-problem.ts';
import { type McpServer, serversQuery } from './server-queries.ts';
import { ServerState } from './server-state.tsx';
import { ServerSwitch } from './server-switch.tsx';
import { useDeleteServer } from './use-delete-server.ts';

/** MCP servers with their connection status. */
export function McpServers() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const servers = useQuery(serversQuery);
  const remove = useDeleteServer();
  const held = useHeldKeys();

  const columns: Column<McpServer>[] = [
    {
      key: 'name',
      heading: t('tools.server'),
      isTitle: true,
      cell: ({ uuid, name }) => (
        <Link
          to="/tools/servers/$uuid"
          params={{ uuid }}
          className="rounded break-all underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { key: 'mode', heading: t('tools.mode'), cell: ({ mode }) => t(`tools.modesShort.${mode}`) },
    { key: 'state', heading: t('common.state'), cell: (server) => <StateCell server={server} /> },
    {
      key: 'tools',
      heading: t('tools.tools'),
      align: 'end',
      cell: ({ runtime_info }) => runtime_info?.tool_count ?? '–',
    },
    { key: 'enable', heading: t('tools.enabled'), cell: (server) => <ServerSwitch server={server} /> },
  ];

  return (
    <Section title={t('tools.servers')} text={t('tools.serversText')}>
      <Loaded query={servers}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={Wrench} title={t('tools.empty')} text={t('tools.emptyText')}>
              <ButtonLink to="/tools/servers/new">{t('tools.newServer')}</ButtonLink>
            </Empty>
          ) : (
            <DataTable
              label={t('tools.servers')}
              columns={columns}
              rows={rows.filter(({ uuid }) => !held.has(`mcp-servers/${uuid}`))}
              rowKey={({ uuid }) => uuid}
              actions={(server) => (
                <ActionMenu
                  subject={server.name}
                  onEdit={() =>
                    void navigate({
                      to: '/tools/servers/$uuid',
                      params: { uuid: server.uuid },
                      search: { tab: 'configuration' },
                    })
                  }
                  onDelete={() => remove(server)}
                />
              )}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function StateCell({ server }: { server: McpServer }) {
  const { t } = useTranslation();
  const problem = problemOf(server, t);
  return (
    <span role="status" className="inline-flex flex-col items-start gap-1 max-md:items-end">
      <ServerState server={server} />
      {problem !== null && (
        <span className="max-w-72 text-xs text-pretty break-words text-destructive">
          {nextStep(problem, t) ?? problem.message}
        </span>
      )}
    </span>
  );
}
