import type { FieldPresentation, Runner, Stage } from '@parley/sdk';
import Type, { type TObject, type TSchema } from 'typebox';
import { answerSettings, runnerChoice, tabs } from './core-settings.ts';
import { type TabName, tabNames } from './pipeline-config.ts';
import { sharedFields } from './shared-settings.ts';

/** The extensions that have settings in a pipeline. */
export interface PipelineExtensionSet {
  /** In the order in which they are offered, the default first. */
  runners: readonly Runner[];
  stages: readonly Stage[];
  /** The group of `ai` that has the settings which all runners share. */
  sharedGroup: string;
}

type Described = TSchema & FieldPresentation;
interface Group {
  options: FieldPresentation;
  fields: Map<string, Described>;
}

/** Clients may bring the settings of runners that are not installed. */
const ofMissingRunners = {
  additionalProperties: Type.Object({}, { additionalProperties: true }),
  maxProperties: 100,
};

/**
 * Builds the schema of a pipeline's configuration from the settings of the core, the stages and the runners.
 * @throws Error when two extensions claim the same field, or one names a tab that does not exist
 */
export function composePipelineSchema({ runners, stages, sharedGroup }: PipelineExtensionSet): TObject {
  const groups = new Map(tabNames.map((tab) => [tab, new Map<string, Group>()]));
  const add = (tab: string, name: string, schema: TObject, owner: string) => {
    const tabGroups = groups.get(tab as TabName);
    if (tabGroups === undefined) throw new Error(`${owner} has settings in a tab that does not exist: ${tab}`);
    const { type: _type, properties, required: _required, ...options } = schema as TObject & FieldPresentation;
    const group = tabGroups.get(name) ?? { options: {}, fields: new Map<string, Described>() };
    tabGroups.set(name, { options: { ...options, ...group.options }, fields: group.fields });
    for (const [field, described] of Object.entries(properties as Record<string, Described>)) {
      const present = group.fields.get(field);
      if (present !== undefined && present !== described) {
        throw new Error(`${owner} claims the setting ${tab}.${name}.${field}, which exists`);
      }
      group.fields.set(field, described);
    }
  };
  add('output', 'misc', answerSettings, 'The core');
  for (const { name, config } of stages) {
    for (const [tab, tabSchema] of propertiesOf(config)) {
      if (tab === 'ai') throw new Error(`The stage ${name} has settings in the tab of the runners`);
      for (const [group, schema] of propertiesOf(tabSchema)) add(tab, group, schema as TObject, `The stage ${name}`);
    }
  }
  add('ai', 'runner', runnerChoice(runners), 'The core');
  if (!runners.some(({ name }) => name === sharedGroup)) add('ai', sharedGroup, sharedFields, 'The core');
  for (const { name, config } of runners) {
    if (name === sharedGroup) add('ai', name, sharedFields, 'The core');
    add('ai', name, config ?? Type.Object({}), `The runner ${name}`);
  }
  const composed = tabNames.map(
    (tab) => [tab, tabSchema(tabs[tab], groups.get(tab) ?? new Map(), tab === 'ai' ? ofMissingRunners : {})] as const,
  );
  return Type.Object(Object.fromEntries(composed), { additionalProperties: false });
}

function tabSchema(tab: TObject, groups: ReadonlyMap<string, Group>, others: object): TObject {
  const {
    type: _type,
    properties: _properties,
    required: _required,
    ...options
  } = tab as TObject & { required?: unknown };
  const schemas = new Map(
    [...groups].map(([name, { options: groupOptions, fields }]) => [
      name,
      Type.Object(Object.fromEntries(inOrder(fields)), { default: {}, ...groupOptions, additionalProperties: false }),
    ]),
  );
  return Type.Object(Object.fromEntries(inOrder(schemas)), { ...options, ...others });
}

/** Moves what names another entry in front of that. */
function inOrder(entries: ReadonlyMap<string, Described>): [string, Described][] {
  const list = [...entries];
  for (const [name, { 'x-before': next }] of entries) {
    if (next === undefined || !entries.has(next)) continue;
    const [entry] = list.splice(indexOf(list, name), 1);
    if (entry !== undefined) list.splice(indexOf(list, next), 0, entry);
  }
  return list;
}

function indexOf(list: readonly [string, Described][], name: string): number {
  return list.findIndex(([other]) => other === name);
}

function propertiesOf(schema: TSchema | undefined): [string, TSchema][] {
  return Object.entries((schema as TObject | undefined)?.properties ?? {});
}
