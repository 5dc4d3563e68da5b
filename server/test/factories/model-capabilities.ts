import type { ModelRequester } from '@parley/sdk';
import { modelRequesters } from '../../src/providers/index.ts';

/** Something that a requester can do; {@link capabilityTests} show it for each requester that can. */
export interface ModelCapability {
  name: 'chat' | 'streaming' | 'tools' | 'images' | 'embedding' | 'rerank' | 'model list';
  has(requester: ModelRequester): boolean;
}

/** Path of the tests from the root. */
export const capabilityTests = 'server/src/providers/every-requester.test.ts';

const talks = ({ languageModel }: ModelRequester) => languageModel !== undefined;
// The built-in demo calls no server, so it cannot receive tools or images.
const asksAProvider = (requester: ModelRequester) => talks(requester) && requester.category !== 'builtin';
const isThere = ({ unavailable }: ModelRequester) => unavailable === undefined;

export const modelCapabilities: ModelCapability[] = [
  { name: 'chat', has: talks },
  { name: 'streaming', has: talks },
  { name: 'tools', has: asksAProvider },
  { name: 'images', has: asksAProvider },
  {
    name: 'embedding',
    has: (requester) => isThere(requester) && requester.embeddingModel !== undefined,
  },
  { name: 'rerank', has: ({ rerankingModel }) => rerankingModel !== undefined },
  { name: 'model list', has: ({ listModels }) => listModels !== undefined },
];

/** The built-in requesters that can do something. */
export function requestersWith(name: ModelCapability['name']): ModelRequester[] {
  const capability = modelCapabilities.find((one) => one.name === name) as ModelCapability;
  return modelRequesters.filter((requester) => capability.has(requester));
}
