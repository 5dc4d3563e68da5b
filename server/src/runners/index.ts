import type { Runner } from '@parley/sdk';
import { dify } from './dify/index.ts';
import { httpApi } from './http/index.ts';
import { createLocalAgent } from './local-agent/index.ts';
import { n8n } from './n8n/index.ts';

export interface RunnerOptions {
  /** How long a model may stay silent, milliseconds. */
  modelTimeoutMilliseconds: number;
}

/** Every built-in runner. */
export function createRunners({ modelTimeoutMilliseconds }: RunnerOptions): Runner[] {
  return [createLocalAgent({ silenceTimeoutMs: modelTimeoutMilliseconds }), dify, n8n, httpApi];
}
