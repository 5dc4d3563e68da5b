import { ParleyError, type Runner, type RunnerContext, type RunnerDelta, type RunnerRequest } from '@parley/sdk';
import { CallClock } from '../../kit/services/call-clock.ts';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import { inRememberedConversation } from '../../kit/services/conversation-session.ts';
import { ServiceClient } from '../../kit/services/service-client.ts';
import { timeoutMs } from '../../kit/services/timeout.ts';
import { answerDeltas } from './answer.ts';
import { type HttpConfig, httpConfig } from './config.ts';
import { questionOf } from './question.ts';

const name = 'HTTP service';

/**
 * Sends the question as JSON to an HTTP service, which returns the answer; `docs/runners.md` describes the protocol.
 */
export const httpApi: Runner<typeof httpConfig> = {
  name: 'http-api',
  label: { en_US: 'HTTP service', zh_Hans: 'HTTP 服务', ja_JP: 'HTTPサービス' },
  config: httpConfig,
  answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context)),
};

async function* answer(request: RunnerRequest<HttpConfig>, context: RunnerContext): AsyncGenerator<RunnerDelta> {
  const { config } = request;
  const address = config.url.trim();
  if (address === '') throw new ParleyError('invalid_request', 'The pipeline has no URL of an HTTP service.');
  const headerName = config['header-name'].trim();
  const headers: Record<string, string> = {
    accept: 'text/event-stream, application/x-ndjson, application/json, text/plain',
    ...(headerName === '' ? {} : { [headerName]: config['header-value'] }),
  };
  const client = ServiceClient.forAnswer(name, request, context, {
    silenceTimeoutMs: timeoutMs(config.timeout),
    secrets: [config['header-value']],
  });
  const clock = new CallClock();
  yield* inRememberedConversation(
    context,
    async function* (conversation, remember) {
      const json = await questionOf(request, { context, conversation, sendFiles: config['send-files'] });
      yield* answerDeltas(await client.request(address, { headers, json }), { client, clock, remember });
    },
    ({ status }) => status === 404,
  );
}
