import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/states/loaded.tsx';
import { type ToolUsers, toolUsersOf } from '../../components/tool-users.ts';
import { Label } from '../../components/ui/label.tsx';
import { LabelledCheckbox } from '../../components/ui/labelled-checkbox.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import type { Pipeline } from './pipeline-queries.ts';
import { ToolUsersFields } from './tool-users-fields.tsx';

type Preferences = Pipeline['extensions_preferences'];

interface PipelinePluginsProps {
  value: Preferences;
  onChange: (value: Preferences) => void;
}

/** The plugins of the pipeline: all, or selected ones; and who may run their tools. */
export function PipelinePlugins({ value, onChange }: PipelinePluginsProps) {
  const { t } = useTranslation();
  const all = useId();
  const plugins = useQuery({
    queryKey: ['plugins', 'for-pipelines'],
    queryFn: async () => (await api.get('/api/v1/plugins')).plugins,
  });
  const chosen = value.plugins.map(({ author, name }) => `${author}/${name}`);
  const choose = (id: string, isChosen: boolean) => {
    const others = value.plugins.filter(({ author, name }) => `${author}/${name}` !== id);
    const [author = '', name = ''] = id.split('/');
    onChange({ ...value, plugins: isChosen ? [...others, { author, name }] : others });
  };
  const letRun = (id: string, users: ToolUsers) =>
    onChange({ ...value, mcp_tool_users: { ...value.mcp_tool_users, [id]: users } });
  return (
    <div className="space-y-5">
      <div>
        <div className="flex items-center gap-3">
          <Switch
            id={all}
            aria-describedby={`${all}-help`}
            checked={value.enable_all_plugins}
            onChange={(event) => onChange({ ...value, enable_all_plugins: event.target.checked })}
          />
          <Label htmlFor={all}>{t('pipelines.allPlugins')}</Label>
        </div>
        <p id={`${all}-help`} className="mt-1.5 text-sm text-muted-foreground">
          {t('pipelines.allPluginsText')}
        </p>
      </div>
      <Loaded query={plugins} rows={2}>
        {(installed) => {
          // Others are chosen where they are used: runners, engines, parsers.
          const usable = installed.filter(
            ({ contributions: { tools, commands, listeners } }) => tools ?? commands ?? listeners,
          );
          const gone = chosen.filter((id) => !usable.some((plugin) => plugin.id === id));
          return (
            <fieldset className="space-y-4">
              <legend className="mb-2.5 text-sm font-medium">
                {value.enable_all_plugins ? t('plugins.title') : t('pipelines.plugins')}
              </legend>
              {usable.length + gone.length === 0 && (
                <p className="text-sm text-muted-foreground">{t('pipelines.noPlugins')}</p>
              )}
              {usable.map(({ id, label, state, contributions }) => {
                const isUsed = value.enable_all_plugins || chosen.includes(id);
                return (
                  <div key={id}>
                    <LabelledCheckbox
                      checked={isUsed}
                      disabled={value.enable_all_plugins}
                      onChange={(isChosen) => choose(id, isChosen)}
                    >
                      {localized(label)}
                      {state !== 'enabled' && (
                        <span className="text-muted-foreground"> ({t('pipelines.pluginOff')})</span>
                      )}
                    </LabelledCheckbox>
                    {isUsed && contributions.tools !== undefined && (
                      <ToolUsersFields value={toolUsersOf(value, id)} onChange={(users) => letRun(id, users)} />
                    )}
                  </div>
                );
              })}
              {!value.enable_all_plugins &&
                gone.map((id) => (
                  <LabelledCheckbox key={id} checked onChange={(isChosen) => choose(id, isChosen)}>
                    {t('pipelines.pluginGone', { id })}
                  </LabelledCheckbox>
                ))}
            </fieldset>
          );
        }}
      </Loaded>
    </div>
  );
}
