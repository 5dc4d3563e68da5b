import type { components } from '@parley/client';
import { localized } from '../../lib/i18n.ts';
import type { Found } from './searches.ts';

type EffectiveSetting = components['schemas']['EffectiveSetting'];
type FormTab = components['schemas']['FormTab'];
type Pipeline = Pick<components['schemas']['Pipeline'], 'uuid' | 'name' | 'config'>;

/** A setting, with the words beside its name that it is found by. */
export interface SettingFound extends Found {
  more: string;
}

/** The settings of the service, which lead to where they are explained. */
export function serviceSettings(settings: readonly EffectiveSetting[]): SettingFound[] {
  return settings.map(({ name, environment_variable, label, description }) => ({
    id: name,
    name: localized(label),
    hint: name,
    more: `${name} ${environment_variable} ${localized(description)}`,
    to: '/system',
    search: { tab: 'settings', setting: name },
  }));
}

/** The settings that a pipeline has with its runner, which lead to their field. */
export function pipelineSettings(tabs: readonly FormTab[], { uuid, name: pipeline, config }: Pipeline): SettingFound[] {
  const ai = config.ai as { runner?: { runner?: unknown } } | undefined;
  return tabs.flatMap((tab) =>
    tab.stages
      .filter((stage) => tab.name !== 'ai' || stage.name === 'runner' || stage.name === ai?.runner?.runner)
      .flatMap((stage) =>
        stage.config.map(({ name, label, description }) => ({
          id: `${tab.name}.${stage.name}.${name}`,
          name: localized(label),
          hint: `${pipeline} › ${localized(tab.label)} › ${localized(stage.label)}`,
          more: `${name} ${description === undefined ? '' : localized(description)}`,
          to: `/pipelines/${uuid}`,
          search: { tab: tab.name, field: ['config', tab.name, stage.name, name].join('.') },
        })),
      ),
  );
}
