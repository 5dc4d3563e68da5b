import { PipelineConfig } from '@parley/sdk';
import { type FormTab, formTabs } from '../forms/form-fields.ts';

/** The form for the configuration of a pipeline. Clients show, of the groups of `ai`, the one of the chosen runner. */
export const pipelineMetadata: readonly FormTab[] = formTabs(PipelineConfig);
