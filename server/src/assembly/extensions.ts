import { join } from 'node:path';
import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import { builtInCommands } from '../core/commands/built-in-commands.ts';
import { ExtensionRegistries, type ExtensionSet } from '../core/extensions/extension-registries.ts';
import type { WaitingCallers } from '../core/model-api/waiting-callers.ts';
import type { SensitiveWordService } from '../core/sensitive-words/sensitive-word-service.ts';
import { engines } from '../engines/index.ts';
import { parsers } from '../parsers/index.ts';
import { platforms } from '../platforms/index.ts';
import { createModelApi } from '../platforms/model-api/index.ts';
import { modelRequesters } from '../providers/index.ts';
import { createRunners, sharedSettingsGroup } from '../runners/index.ts';
import { createStages } from '../stages/index.ts';

export interface ExtensionParts {
  config: Config;
  logger: Logger;
  sensitiveWords: SensitiveWordService;
  callers: WaitingCallers;
  /** In addition to the built-in ones. One that clashes with another is left out. */
  added: ExtensionSet;
}

/** All extensions: the built-in ones, and those that are added. */
export function assembleExtensions(parts: ExtensionParts): ExtensionRegistries {
  const { config, sensitiveWords, callers, added, logger } = parts;
  const registries = new ExtensionRegistries(sharedSettingsGroup);
  registries.add({
    platforms: [...platforms, createModelApi(callers)],
    modelRequesters,
    runners: createRunners({ modelTimeoutMs: config.modelTimeoutSeconds * 1000 }),
    stages: createStages({
      sensitiveWords: () => sensitiveWords.current(),
      fontDirectory: join(config.dataDir, 'fonts'),
    }),
    commands: builtInCommands,
    parsers,
    knowledgeEngines: engines,
  });
  try {
    registries.add(added);
  } catch (error) {
    logger.error({ error }, 'extensions were refused');
  }
  return registries;
}
