import type { Runner } from '@parley/sdk';
import { coze } from './coze/index.ts';
import { createDashscope } from './dashscope/index.ts';
import { dify } from './dify/index.ts';
import { httpApi } from './http/index.ts';
import { createLangflow } from './langflow/index.ts';
import { createLocalAgent } from './local-agent/index.ts';
import { n8n } from './n8n/index.ts';
import { openAiResponses } from './openai-responses/index.ts';
import { createTbox } from './tbox/index.ts';

/** The group of a pipeline's settings that all runners share, as clients of the reference system know it. */
export const sharedSettingsGroup = 'local-agent';

export interface RunnerOptions {
  /** How long a model may stay silent, milliseconds. */
  modelTimeoutMs: number;
}

/** Every built-in runner. */
export function createRunners({ modelTimeoutMs }: RunnerOptions): Runner[] {
  const patience = { silenceTimeoutMs: modelTimeoutMs };
  return [
    createLocalAgent(patience),
    dify,
    n8n,
    coze,
    createTbox(patience),
    createDashscope(patience),
    createLangflow(patience),
    openAiResponses,
    httpApi,
  ];
}
