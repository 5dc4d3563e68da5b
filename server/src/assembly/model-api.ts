import type { BotRuntime } from '../core/bots/bot-runtime.ts';
import type { BotStore } from '../core/bots/bot-store.ts';
import type { StateEvents } from '../core/events/state-events.ts';
import type { FileService } from '../core/files/file-service.ts';
import type { MessageIntake } from '../core/messages/message-intake.ts';
import type { MessageReader } from '../core/messages/message-reader.ts';
import { ModelApi } from '../core/model-api/model-api.ts';
import { ModelDirectory } from '../core/model-api/model-directory.ts';
import { ResponseChain } from '../core/model-api/response-chain.ts';
import type { WaitingCallers } from '../core/model-api/waiting-callers.ts';
import type { PipelineService } from '../core/pipelines/pipeline-service.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';

export interface ModelApiParts {
  botStore: BotStore;
  runtime: BotRuntime;
  intake: MessageIntake;
  messageReader: MessageReader;
  ledger: Ledger;
  pipelines: PipelineService;
  files: FileService;
  stateEvents: StateEvents;
  callers: WaitingCallers;
}

/** Pipelines as models, for programs that ask and wait. */
export function createModelApi({ botStore, runtime, intake, messageReader, ...parts }: ModelApiParts) {
  const { ledger, pipelines, files, stateEvents, callers } = parts;
  const { conversations, history } = ledger;
  return new ModelApi({
    bots: botStore,
    runtime,
    receive: (botUuid, event) => intake.receive(botUuid, event),
    reader: messageReader,
    conversations,
    files,
    events: stateEvents,
    models: new ModelDirectory(pipelines),
    chain: new ResponseChain(conversations, history, messageReader),
    callers,
  });
}
