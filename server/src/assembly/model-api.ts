import type { StateEvents } from '../core/events/state-events.ts';
import type { FileService } from '../core/files/file-service.ts';
import type { MessageStore } from '../core/messages/message-store.ts';
import { ModelApi } from '../core/model-api/model-api.ts';
import { ModelDirectory } from '../core/model-api/model-directory.ts';
import { ResponseChain } from '../core/model-api/response-chain.ts';
import type { WaitingCallers } from '../core/model-api/waiting-callers.ts';
import type { PipelineService } from '../core/pipelines/pipeline-service.ts';
import type { assembleMessageLife } from './message-life.ts';

export interface ModelApiParts {
  life: Pick<
    ReturnType<typeof assembleMessageLife>,
    'botStore' | 'runtime' | 'intake' | 'messageReader' | 'conversations'
  >;
  messageStore: MessageStore;
  pipelines: PipelineService;
  files: FileService;
  stateEvents: StateEvents;
  callers: WaitingCallers;
}

/** Pipelines as models, for programs that ask and wait. */
export function assembleModelApi({ life, messageStore, pipelines, files, stateEvents, callers }: ModelApiParts) {
  const { botStore, runtime, intake, messageReader, conversations } = life;
  return new ModelApi({
    bots: botStore,
    runtime,
    receive: (botUuid, event) => intake.receive(botUuid, event),
    reader: messageReader,
    conversations,
    files,
    events: stateEvents,
    models: new ModelDirectory(pipelines),
    chain: new ResponseChain(messageStore, messageReader),
    callers,
  });
}
