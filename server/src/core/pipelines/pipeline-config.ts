import type { TObject } from 'typebox';
import type { AnswerSettings } from './core-settings.ts';
import type { SharedSettings } from './shared-settings.ts';

/** The tabs of a configuration. */
export const tabNames = ['trigger', 'safety', 'ai', 'output'] as const;
export type TabName = (typeof tabNames)[number];

/** A configuration as clients and the database have it: tabs of groups of fields. */
export type StoredConfig = Record<TabName, Record<string, Record<string, unknown>>>;

/** A configuration as a message needs it: complete, and by owner. */
export interface PipelineConfig {
  /** `settings` and `schema` are null when the runner is not installed. */
  runner: { name: string; settings: Record<string, unknown> | null; schema: TObject | null };
  shared: SharedSettings;
  answers: AnswerSettings;
  /** The settings of each stage, by its name; those without settings are missing. */
  stages: ReadonlyMap<string, Record<string, unknown>>;
}
