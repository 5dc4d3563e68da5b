import { join } from 'node:path';
import type { KnowledgeEngine, ModelRequester, Parser, Platform, Runner, Stage, ToolSource } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import { WaitingCallers } from '../core/model-api/waiting-callers.ts';
import { SensitiveWordService } from '../core/sensitive-words/sensitive-word-service.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { engines } from '../engines/index.ts';
import { parsers } from '../parsers/index.ts';
import { platforms } from '../platforms/index.ts';
import { createModelApi } from '../platforms/model-api/index.ts';
import { modelRequesters } from '../providers/index.ts';
import { createRunners } from '../runners/index.ts';
import { compileWords } from '../stages/content-filter/compile-words.ts';
import { createStages } from '../stages/index.ts';

/** Extensions in addition to the built-in ones, which come first. */
export interface GivenExtensions {
  platforms?: readonly Platform[];
  modelRequesters?: readonly ModelRequester[];
  runners?: readonly Runner[];
  stages?: readonly Stage[];
  tools?: readonly ToolSource[];
  parsers?: readonly Parser[];
  knowledgeEngines?: readonly KnowledgeEngine[];
}

/** All extensions, and what the built-in ones share with the service. */
export function createExtensions(config: Config, metadata: MetadataStore, given: GivenExtensions) {
  const callers = new WaitingCallers();
  const sensitiveWords = new SensitiveWordService(metadata, (list) => compileWords(list));
  const fontDirectory = join(config.dataDir, 'fonts');
  return {
    callers,
    sensitiveWords,
    platforms: [...platforms, createModelApi(callers), ...(given.platforms ?? [])],
    modelRequesters: [...modelRequesters, ...(given.modelRequesters ?? [])],
    runners: [...createRunners({ modelTimeoutMs: config.modelTimeoutSeconds * 1000 }), ...(given.runners ?? [])],
    stages: [
      ...createStages({ sensitiveWords: () => sensitiveWords.current(), fontDirectory }),
      ...(given.stages ?? []),
    ],
    parsers: [...parsers, ...(given.parsers ?? [])],
    engines: [...engines, ...(given.knowledgeEngines ?? [])],
  };
}
