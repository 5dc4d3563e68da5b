import { ModelApi } from '../core/model-api/model-api.ts';
import { ModelDirectory } from '../core/model-api/model-directory.ts';
import { ResponseChain } from '../core/model-api/response-chain.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import type { createBots } from './bots.ts';
import type { createMessages, createMessageViews } from './messages.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPipelines } from './pipelines.ts';

type ModelApiParts = SharedParts &
  Created<typeof createPipelines> &
  Created<typeof createBots> &
  Created<typeof createMessages> &
  Created<typeof createMessageViews> & { ledger: Ledger };

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
