import type { StateEvents } from '../core/events/state-events.ts';
import type { FileService } from '../core/files/file-service.ts';
import { ModelApi } from '../core/model-api/model-api.ts';
import { ModelDirectory } from '../core/model-api/model-directory.ts';
import { ResponseChain } from '../core/model-api/response-chain.ts';
import type { WaitingCallers } from '../core/model-api/waiting-callers.ts';
import type { PipelineService } from '../core/pipelines/pipeline-service.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import type { assembleMessageLife } from './message-life.ts';

export interface ModelApiParts {
  life: Pick<ReturnType<typeof assembleMessageLife>, 'botStore' | 'runtime' | 'intake' | 'messageReader'>;
  ledger: Ledger;
  pipelines: PipelineService;
  files: FileService;
  stateEvents: StateEvents;
  callers: WaitingCallers;
}

/** Pipelines as models, for programs that ask and wait. */
export function assembleModelApi({ life, ledger, pipelines, files, stateEvents, callers }: ModelApiParts) {
  const { botStore, runtime, intake, messageReader } = life;
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
