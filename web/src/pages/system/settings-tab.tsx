import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { type EffectiveSetting, useSystemStatus } from './use-system-status.ts';

/** Effective settings of the server, without secrets. */
export function SettingsTab() {
  const { t } = useTranslation();
  const query = useSystemStatus();
  return (
    <Section title={t('systemPage.settingsInEffect')} text={t('systemPage.settingsText')}>
      <Loaded query={query} rows={8}>
        {({ settings }) => (
          <DataTable
            label={t('systemPage.settings')}
            rows={settings}
            rowKey={({ name }) => name}
            columns={[
              {
                key: 'name',
                heading: t('common.name'),
                isTitle: true,
                cell: ({ name }: EffectiveSetting) => <code className="font-mono text-xs">{name}</code>,
              },
              {
                key: 'value',
                heading: t('systemPage.value'),
                cell: (setting) => <span className="break-all">{shownValue(setting, t)}</span>,
              },
              {
                key: 'source',
                heading: t('systemPage.source'),
                cell: ({ source }) => (
                  <Badge tone={source === 'default' ? 'neutral' : 'busy'}>{t(`systemPage.sources.${source}`)}</Badge>
                ),
              },
              {
                key: 'variable',
                heading: t('systemPage.variable'),
                cell: ({ environment_variable }) => (
                  <code className="font-mono text-xs break-all">{environment_variable}</code>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** As in an environment variable. */
function shownValue({ secret, is_set, value }: EffectiveSetting, t: TFunction): string {
  if (secret) return t(is_set ? 'systemPage.secretSet' : 'systemPage.secretNotSet');
  if (!is_set || value === null) return t('systemPage.secretNotSet');
  return Array.isArray(value) ? value.join(', ') : String(value);
}
