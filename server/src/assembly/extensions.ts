import { join } from 'node:path';
import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import { builtInCommands } from '../core/commands/built-in-commands.ts';
import { ExtensionRegistries, type ExtensionSet } from '../core/extensions/extension-registries.ts';
import { registerExtensions } from '../core/extensions/register-extensions.ts';
import { WaitingCallers } from '../core/model-api/waiting-callers.ts';
import type { RecordCache } from '../core/records/record-cache.ts';
import { SensitiveWordService } from '../core/sensitive-words/sensitive-word-service.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { engines } from '../engines/index.ts';
import { loadExtensions } from '../extension-loader/load-extensions.ts';
import { parsers } from '../parsers/index.ts';
import { platforms } from '../platforms/index.ts';
import { createModelApi } from '../platforms/model-api/index.ts';
import { modelRequesters } from '../providers/index.ts';
import { createRunners, sharedSettingsGroup } from '../runners/index.ts';
import { compileWords } from '../stages/content-filter/compile-words.ts';
import { createStages } from '../stages/index.ts';

export interface ExtensionParts {
  config: Config;
  logger: Logger;
  metadata: MetadataStore;
  recordCache: RecordCache;
  /** In addition to the built-in ones. They are refused together when one of them clashes with another. */
  given: ExtensionSet;
}

/** All extensions, and what the built-in ones share with the service. */
export async function createExtensions({ config, logger, metadata, recordCache, given }: ExtensionParts) {
  const callers = new WaitingCallers();
  const sensitiveWords = new SensitiveWordService(metadata, (list) => compileWords(list));
  const wordsForRun = recordCache.reader(() => sensitiveWords.current());
  const extensions = new ExtensionRegistries(sharedSettingsGroup);
  extensions.add({
    platforms: [...platforms, createModelApi(callers)],
    modelRequesters,
    runners: createRunners({ modelTimeoutMs: config.modelTimeoutSeconds * 1000 }),
    stages: createStages({
      sensitiveWords: () => wordsForRun(''),
      fontDirectory: join(config.dataDir, 'fonts'),
    }),
    commands: builtInCommands,
    parsers,
    knowledgeEngines: engines,
  });
  try {
    extensions.add(given);
  } catch (error) {
    logger.error({ error }, 'extensions were refused');
  }
  const modules = await loadExtensions(config.extensions, config.settingsDirectory);
  const configuredExtensions = registerExtensions(modules, extensions, logger);
  return { callers, sensitiveWords, extensions, configuredExtensions };
}
