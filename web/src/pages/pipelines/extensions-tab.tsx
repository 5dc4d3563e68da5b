import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { NextStep } from '../../components/next-step.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { type ToolUsers, toolUsersOf, usesServer } from '../../components/tool-users.ts';
import { Label } from '../../components/ui/label.tsx';
import { LabelledCheckbox } from '../../components/ui/labelled-checkbox.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { useMayOpen } from '../../lib/account.ts';
import { PipelinePlugins } from './pipeline-plugins.tsx';
import { extensionsQuery, type Pipeline } from './pipeline-queries.ts';
import { ToolUsersFields } from './tool-users-fields.tsx';

type Preferences = Pipeline['extensions_preferences'];

interface ExtensionsTabProps {
  pipelineUuid: string;
  value: Preferences;
  onChange: (value: Preferences) => void;
}

/** The plugins and MCP servers of the pipeline: all, or selected ones; and who may run their tools. */
export function ExtensionsTab({ pipelineUuid, value, onChange }: ExtensionsTabProps) {
  const { t } = useTranslation();
  const all = useId();
  const mayOpen = useMayOpen();
  const extensions = useQuery(extensionsQuery(pipelineUuid));
  const choose = (uuid: string, chosen: boolean) =>
    onChange({
      ...value,
      mcp_servers: chosen
        ? [...value.mcp_servers, uuid]
        : value.mcp_servers.filter((one) => one.toLowerCase() !== uuid),
    });
  const letRun = (uuid: string, users: ToolUsers) =>
    onChange({ ...value, mcp_tool_users: { ...value.mcp_tool_users, [uuid]: users } });
  return (
    <div className="max-w-2xl space-y-5" data-field="extensions_preferences">
      <p className="text-sm text-pretty text-muted-foreground">
        {t('pipelines.extensionsText')} {t('pipelines.toolNamesText')}{' '}
        <Link
          to="/pipelines/$uuid"
          params={{ uuid: pipelineUuid }}
          search={{ tab: 'ai', field: 'config.ai.local-agent.tools' }}
          className="rounded font-medium text-foreground underline underline-offset-4"
        >
          {t('pipelines.toolNames')}
        </Link>
      </p>
      <PipelinePlugins value={value} onChange={onChange} />
      <div className="border-t pt-5">
        <div className="flex items-center gap-3">
          <Switch
            id={all}
            aria-describedby={`${all}-help`}
            checked={value.enable_all_mcp_servers}
            onChange={(event) => onChange({ ...value, enable_all_mcp_servers: event.target.checked })}
          />
          <Label htmlFor={all}>{t('pipelines.allServers')}</Label>
        </div>
        <p id={`${all}-help`} className="mt-1.5 text-sm text-muted-foreground">
          {t('pipelines.allServersText')}
        </p>
      </div>
      <Loaded query={extensions} rows={2}>
        {({ available_mcp_servers: servers }) => {
          const gone = value.mcp_servers.filter((uuid) => !servers.some((server) => server.uuid === uuid));
          return (
            <fieldset className="space-y-4">
              <legend className="mb-2.5 text-sm font-medium">
                {value.enable_all_mcp_servers ? t('tools.servers') : t('pipelines.chosenServers')}
              </legend>
              {servers.length + gone.length === 0 && (
                <p className="text-sm text-muted-foreground">
                  {t('pipelines.noServers')}{' '}
                  {mayOpen('/tools/servers/new') && <NextStep to="/tools/servers/new">{t('tools.newServer')}</NextStep>}
                </p>
              )}
              {servers.map((server) => (
                <div key={server.uuid}>
                  <LabelledCheckbox
                    checked={usesServer(value, server.uuid)}
                    disabled={value.enable_all_mcp_servers}
                    onChange={(chosen) => choose(server.uuid, chosen)}
                  >
                    {server.name}
                    {!server.enable && <span className="text-muted-foreground"> ({t('pipelines.serverOff')})</span>}
                  </LabelledCheckbox>
                  {usesServer(value, server.uuid) && (
                    <ToolUsersFields
                      tools={server.runtime_info?.tools ?? []}
                      value={toolUsersOf(value, server.uuid)}
                      onChange={(users) => letRun(server.uuid, users)}
                    />
                  )}
                </div>
              ))}
              {!value.enable_all_mcp_servers &&
                gone.map((uuid) => (
                  <LabelledCheckbox key={uuid} checked onChange={(chosen) => choose(uuid, chosen)}>
                    {t('pipelines.serverGone', { id: uuid })}
                  </LabelledCheckbox>
                ))}
            </fieldset>
          );
        }}
      </Loaded>
    </div>
  );
}
