import type { ModelRequester } from '@parley/sdk';
import { amazonBedrock } from './amazon-bedrock/index.ts';
import { anthropic } from './anthropic/index.ts';
import { azureOpenAi } from './azure-openai/index.ts';
import { cacheModels } from './cached-models.ts';
import { demo } from './demo/index.ts';
import { gemini } from './gemini/index.ts';
import { ollama } from './ollama/index.ts';
import { openAiCompatible } from './openai-compatible/index.ts';
import { openAiResponses } from './openai-responses/index.ts';
import { seekDb } from './seekdb/index.ts';

/** Every built-in kind of model provider. */
export const modelRequesters: ModelRequester[] = [
  ...openAiCompatible,
  openAiResponses,
  anthropic,
  gemini,
  azureOpenAi,
  amazonBedrock,
  ollama,
  seekDb,
  demo,
].map(cacheModels);
