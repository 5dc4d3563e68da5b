import type { components } from '@parley/client';
import { type FormField, type FormValue, isShown, withDefaults } from '../../components/forms/form-field.ts';
import { isAt } from '../../lib/field-path.ts';
import { localized } from '../../lib/i18n.ts';

export type FormTab = components['schemas']['FormTab'];
export type FormStage = components['schemas']['FormStage'];
export type I18nText = components['schemas']['I18nText'];
export type Config = Record<string, unknown>;

/** A field of the configuration with its path. */
export interface FieldPlace {
  /** Path in the request body: `config.ai.runner.runner`. */
  path: string;
  tab: FormTab;
  stage: FormStage;
  field: FormField;
}

/** The values of a group; empty if the configuration does not have it. */
export function groupOf(config: Config, tab: string, stage: string): FormValue {
  const groups = config[tab] as Record<string, FormValue> | undefined;
  return groups?.[stage] ?? {};
}

/** The configuration with a replaced group. */
export function withGroup(config: Config, tab: string, stage: string, value: FormValue): Config {
  return { ...config, [tab]: { ...(config[tab] as Record<string, FormValue> | undefined), [stage]: value } };
}

/** The selected runner. */
export function runnerOf(config: Config): string {
  return String(groupOf(config, 'ai', 'runner').runner ?? '');
}

/** The label of a runner; its stored name if it is not installed. */
export function runnerLabel(tabs: readonly FormTab[], runner: string): I18nText {
  const choice = tabs
    .find(({ name }) => name === 'ai')
    ?.stages.find(({ name }) => name === 'runner')
    ?.config.find(({ name }) => name === 'runner');
  return choice?.options?.find(({ name }) => name === runner)?.label ?? { en_US: runner };
}

/** The relevant groups of a tab: of the groups for runners only that of the selected one. */
export function shownStages(tab: FormTab, config: Config): FormStage[] {
  if (tab.name !== 'ai') return tab.stages;
  return tab.stages.filter(({ name }) => name === 'runner' || name === runnerOf(config));
}

/** All fields in order, including hidden ones. */
export function allFields(tabs: readonly FormTab[]): FieldPlace[] {
  return tabs.flatMap((tab) => tab.stages.flatMap((stage) => placesIn(tab, stage)));
}

/** The visible fields, in order. */
export function shownFields(tabs: readonly FormTab[], config: Config): FieldPlace[] {
  return tabs.flatMap((tab) =>
    shownStages(tab, config).flatMap((stage) => {
      const values = withDefaults(stage.config, groupOf(config, tab.name, stage.name));
      return placesIn(tab, stage).filter(({ field }) => isShown(field, values));
    }),
  );
}

function placesIn(tab: FormTab, stage: FormStage): FieldPlace[] {
  return stage.config.map((field) => ({ path: `config.${tab.name}.${stage.name}.${field.name}`, tab, stage, field }));
}

/** Fields whose label or help contains all words of a search; matches in the label come first. */
export function findFields(
  places: readonly FieldPlace[],
  search: string,
  localized: (text: I18nText) => string,
): FieldPlace[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = places.filter(({ tab, stage, field }) => {
    const options = (field.options ?? []).map(({ label }) => localized(label));
    const help = [stage.description, field.description].map((text) => (text === undefined ? '' : localized(text)));
    return has([tab.label, stage.label, field.label].map(localized).concat(help, options, field.name).join(' '));
  });
  const isNamed = ({ field }: FieldPlace) => has(localized(field.label));
  return [...found.filter(isNamed), ...found.filter((place) => !isNamed(place))];
}

/** The tab of a path in the request body. */
export function tabOf(path: string): string {
  const [, tab] = /^config\.([^.[]+)/.exec(path) ?? [];
  if (tab !== undefined) return tab;
  return path.startsWith('extensions_preferences') ? 'extensions' : 'general';
}

/** The field of a path in the request body; null for other paths. */
export function placeAt(places: readonly FieldPlace[], path: string): FieldPlace | null {
  return places.find((place) => isAt(path, place.path)) ?? null;
}

/** The labels of a field, of its group and its tab, in reading order; null if no tab has the field. */
export function nameOfPlace(tabs: readonly FormTab[], path: string): string | null {
  const place = placeAt(allFields(tabs), path);
  return place === null ? null : [place.tab, place.stage, place.field].map(({ label }) => localized(label)).join(' › ');
}
