import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { differences, isSame, type ValueWords, valueText } from './differences.ts';
import type { PipelineContent } from './pipeline-content.ts';
import type { FormTab } from './pipeline-fields.ts';
import { useRecordNames } from './use-record-names.ts';

/** A change for display: location, old and new value as text. */
export interface Change {
  path: string;
  /** Tab and group. */
  place: string;
  label: string;
  before: string;
  after: string;
}

/** What differs between two states of a pipeline. */
export function useChanges(form: readonly FormTab[], original: PipelineContent, value: PipelineContent): Change[] {
  const { t } = useTranslation();
  const nameOf = useRecordNames();
  const nothing = t('common.none');
  const words: ValueWords = {
    on: t('common.on'),
    off: t('common.off'),
    nothing,
    secret: t('pipelines.secretStored'),
    nameOf,
    localized,
    roleOf: (role) => (role === 'system' || role === 'user' || role === 'assistant' ? t(`forms.roles.${role}`) : role),
  };
  const general: Change[] = (
    [
      ['name', t('common.name')],
      ['description', t('common.description')],
      ['emoji', t('pipelines.emoji')],
    ] as const
  ).flatMap(([path, label]) =>
    original[path] === value[path]
      ? []
      : [
          {
            path,
            label,
            place: t('pipelines.general'),
            before: original[path] || nothing,
            after: value[path] || nothing,
          },
        ],
  );
  const extensionsOf = ({
    enable_all_plugins,
    plugins,
    enable_all_mcp_servers,
    mcp_servers,
    mcp_tool_users,
  }: typeof value.extensions_preferences) => {
    const usersOf = (uuid: string) => {
      const { allow = 'nobody', users = [] } = mcp_tool_users[uuid] ?? {};
      return [t(`pipelines.toolUsersChoices.${allow}`), ...(allow === 'listed' ? users : [])].join(', ');
    };
    const ids = plugins.map(({ author, name }) => `${author}/${name}`);
    const withUsers = Object.keys(mcp_tool_users);
    const namedPlugins = enable_all_plugins ? withUsers.filter((id) => id.includes('/')) : ids;
    const servers = enable_all_mcp_servers ? withUsers.filter((id) => !id.includes('/')) : mcp_servers;
    const lines = [
      ...(enable_all_plugins ? [t('pipelines.allPlugins')] : []),
      ...namedPlugins.map((id) => (id in mcp_tool_users ? `${id}: ${usersOf(id)}` : id)),
      ...(enable_all_mcp_servers ? [t('pipelines.allServers')] : []),
      ...servers.map((uuid) => `${nameOf(uuid)}: ${usersOf(uuid)}`),
    ];
    return lines.join('\n') || nothing;
  };
  const extensions: Change[] = isSame(original.extensions_preferences, value.extensions_preferences)
    ? []
    : [
        {
          path: 'extensions_preferences',
          label: t('pipelines.extensions'),
          place: '',
          before: extensionsOf(original.extensions_preferences),
          after: extensionsOf(value.extensions_preferences),
        },
      ];
  const settings = differences(form, original.config, value.config).map(
    ({ path, tab, stage, field, before, after }): Change => ({
      path,
      label: localized(field.label),
      place: `${localized(tab.label)} › ${localized(stage.label)}`,
      before: valueText(field, before, words),
      after: valueText(field, after, { ...words, secret: t('pipelines.secretNew') }),
    }),
  );
  return [...general, ...settings, ...extensions];
}
