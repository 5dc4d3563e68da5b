import type { Runner, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import { ownConversation } from '../../kit/services/conversation-session.ts';
import { instructedText } from '../../kit/services/request-variables.ts';
import { addressAt } from '../../kit/services/required-fields.ts';
import { ServiceClient, type SilenceLimit } from '../../kit/services/service-client.ts';
import { answerDeltas } from './answer.ts';
import { type LangflowConfig, langflowConfig, readLangflowSettings } from './config.ts';

const name = 'Langflow';

/** Creates the runner for flows of Langflow. */
export function createLangflow(options: SilenceLimit): Runner<typeof langflowConfig> {
  return {
    name: 'langflow-api',
    label: { en_US: 'Langflow', zh_Hans: 'Langflow', ja_JP: 'Langflow' },
    config: langflowConfig,
    answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context, options)),
  };
}

async function* answer(
  request: RunnerRequest<LangflowConfig>,
  { fetch, memory }: RunnerContext,
  { silenceTimeoutMs }: SilenceLimit,
): AsyncGenerator<RunnerDelta> {
  const config = readLangflowSettings(request.config);
  const client = ServiceClient.forAnswer(name, request, { fetch }, { silenceTimeoutMs, secrets: [config.apiKey] });
  const response = await client.request(
    addressAt(config.address, `/api/v1/run/${encodeURIComponent(config.flowId)}?stream=true`),
    {
      headers: { 'x-api-key': config.apiKey, accept: 'text/event-stream, application/json' },
      json: {
        input_value: instructedText(request, request.text),
        input_type: config.inputType,
        output_type: config.outputType,
        // The flow keeps the conversation under a name that we give it.
        session_id: await ownConversation(memory),
        tweaks: config.tweaks,
      },
    },
  );
  yield* answerDeltas(response, client);
}
