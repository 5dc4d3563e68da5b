import type { FieldPresentation } from '@parley/sdk';
import type { TObject } from 'typebox';
import type { TabName } from './pipeline-config.ts';

/** Where a field is in a configuration. */
export interface FieldPlace {
  tab: TabName;
  group: string;
  field: string;
}

/** The fields of a group that a marker in their schema selects. */
export function markedFields(group: TObject, isMarked: (field: FieldPresentation) => boolean): string[] {
  return Object.entries(group.properties as Record<string, FieldPresentation>).flatMap(([name, field]) =>
    isMarked(field) ? name : [],
  );
}

/** The places of the fields that a marker selects, in the schema of a whole configuration. */
export function markedPlaces(schema: TObject, isMarked: (field: FieldPresentation) => boolean): FieldPlace[] {
  return Object.entries(schema.properties as Record<TabName, TObject>).flatMap(([tab, { properties }]) =>
    Object.entries(properties as Record<string, TObject>).flatMap(([group, groupSchema]) =>
      markedFields(groupSchema, isMarked).map((field) => ({ tab: tab as TabName, group, field })),
    ),
  );
}
