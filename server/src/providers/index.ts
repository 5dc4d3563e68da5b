import type { ModelRequester } from '@parley/sdk';
import { demo } from './demo/index.ts';
import { openAiCompatible } from './openai-compatible/index.ts';

/** Every built-in kind of model provider. */
export const modelRequesters: ModelRequester[] = [...openAiCompatible, demo];
