import type { ModelRequester } from '@parley/sdk';
import { modelRequesters } from '../../src/providers/index.ts';

/** Something that a requester can do, and the test that shows it for each requester that can. */
export interface ModelCapability {
  name: 'chat' | 'streaming' | 'tools' | 'images' | 'embedding' | 'rerank' | 'model list';
  /** Title of the test in {@link capabilityTests}. */
  test: string;
  has(requester: ModelRequester): boolean;
}

/** Path of the tests from the root. */
export const capabilityTests = 'server/src/providers/every-requester.test.ts';

const talks = ({ languageModel }: ModelRequester) => languageModel !== undefined;
// The built-in demo calls no server, so it cannot receive tools or images.
const asksAProvider = (requester: ModelRequester) => talks(requester) && requester.category !== 'builtin';
const isThere = ({ unavailable }: ModelRequester) => unavailable === undefined;

export const modelCapabilities: ModelCapability[] = [
  { name: 'chat', test: '$name answers a chat and counts its tokens', has: talks },
  { name: 'streaming', test: '$name streams its answer, piece by piece', has: talks },
  { name: 'tools', test: '$name offers tools, reads calls and sends results', has: asksAProvider },
  { name: 'images', test: '$name sends images', has: asksAProvider },
  {
    name: 'embedding',
    test: '$name turns texts into vectors',
    has: (requester) => isThere(requester) && requester.embeddingModel !== undefined,
  },
  {
    name: 'rerank',
    test: '$name ranks documents',
    has: ({ rerankingModel }) => rerankingModel !== undefined,
  },
  { name: 'model list', test: '$name lists its models', has: ({ listModels }) => listModels !== undefined },
];

/** The built-in requesters that can do something. */
export function requestersWith(name: ModelCapability['name']): ModelRequester[] {
  const capability = modelCapabilities.find((one) => one.name === name) as ModelCapability;
  return modelRequesters.filter((requester) => capability.has(requester));
}
