import type { Config } from '../config/index.ts';
import type { AddressRules } from '../core/addresses/address-rules.ts';
import type { FetchFor } from '../core/addresses/fetch-for.ts';
import type { BotStore } from '../core/bots/bot-store.ts';
import type { StateEvents } from '../core/events/state-events.ts';
import type { FileService } from '../core/files/file-service.ts';
import type { RecordCache } from '../core/records/record-cache.ts';
import type { TaskService } from '../core/tasks/task-service.ts';
import type { createLogger } from '../kit/logger.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { createExtensions } from './extensions.ts';

/** What most components use. */
export interface SharedParts extends Created<typeof createExtensions> {
  config: Config;
  logger: ReturnType<typeof createLogger>;
  secrets: SecretBox;
  addresses: AddressRules;
  fetchFor: FetchFor;
  stateEvents: StateEvents;
  files: FileService;
  tasks: TaskService;
  botStore: BotStore;
  recordCache: RecordCache;
}

/** What a `create…` function returns. */
export type Created<Create extends (...parts: never[]) => unknown> = Awaited<ReturnType<Create>>;
