import { Address, Secret } from '@parley/sdk';
import Type, { type Static, type TSchema } from 'typebox';

/**
 * The configuration of a pipeline: four tabs of groups of fields, each field with its default.
 * Names and defaults are those of the reference system, so that its clients and its saved configurations fit.
 */

const texts = (description: string, initial: string[] = []) =>
  Type.Array(Type.String({ maxLength: 4096 }), { default: initial, maxItems: 1000, description });

const choice = <const Values extends string[]>(values: Values, initial: Values[number], description: string) =>
  Type.Enum(values, { default: initial, description });

const text = (initial: string, description: string) =>
  Type.String({ default: initial, maxLength: 65_536, description });

const flag = (initial: boolean, description: string) => Type.Boolean({ default: initial, description });

const seconds = (initial: number, description: string) =>
  Type.Number({ default: initial, minimum: 0, maximum: 86_400, description });

function group<Fields extends Record<string, TSchema>>(description: string, fields: Fields) {
  return Type.Object(fields, { default: {}, additionalProperties: false, description });
}

const trigger = group('When the bot answers.', {
  'group-respond-rules': group('What a message in a group must have to be answered.', {
    at: flag(true, 'The bot is mentioned.'),
    prefix: texts('The text begins with one of these.', ['ai']),
    regexp: texts('The text matches one of these from its start.'),
    random: Type.Number({ default: 0, minimum: 0, maximum: 1, description: 'Share of messages answered by chance.' }),
  }),
  'access-control': group('Who may talk to the bot.', {
    mode: choice(['blacklist', 'whitelist'], 'blacklist', 'Which of the two lists counts.'),
    blacklist: texts('Sessions that are not answered: `person_<id>`, `group_<id>`, `person_*`, `group_*`, `*_<id>`.'),
    whitelist: texts('The only sessions that are answered, in the same form.'),
  }),
  'ignore-rules': group('Messages that are passed over.', {
    prefix: texts('The text begins with one of these.'),
    regexp: texts('The text has a match for one of these.'),
  }),
  'message-aggregation': group('Joins messages that follow each other quickly.', {
    enabled: flag(false, 'Whether messages are joined.'),
    delay: Type.Number({ default: 1.5, minimum: 1, maximum: 10, description: 'Seconds of silence to wait for.' }),
  }),
  misc: group('Other triggers.', {
    'combine-quote-message': flag(true, 'Adds what a message quotes to the message.'),
  }),
});

const safety = group('What may be said, and how often.', {
  'content-filter': group('Words that may not pass.', {
    scope: choice(['all', 'income-msg', 'output-msg'], 'all', 'Which direction is filtered.'),
    'check-sensitive-words': flag(true, 'Uses the list of sensitive words.'),
  }),
  'rate-limit': group('How many messages a session may send.', {
    'window-length': Type.Integer({ default: 60, minimum: 1, maximum: 86_400, description: 'Seconds.' }),
    limitation: Type.Integer({ default: 60, minimum: 1, maximum: 1_000_000, description: 'Messages per window.' }),
    strategy: choice(['drop', 'wait'], 'drop', 'What happens to messages above the limit.'),
  }),
});

const modelChoice = Type.Object(
  {
    primary: Type.String({ default: '', description: 'uuid of the model; empty for none.' }),
    fallbacks: Type.Array(Type.String(), { default: [], maxItems: 20, description: 'Tried in this order.' }),
  },
  { default: {}, additionalProperties: false, description: 'The model that answers.' },
);

const ai = group('Who writes the answer.', {
  runner: group('The runner.', {
    runner: Type.String({ default: 'local-agent', minLength: 1, maxLength: 255, description: 'Name of the runner.' }),
  }),
  'local-agent': group('Answers with a model of this system.', {
    model: modelChoice,
    'max-round': Type.Integer({ default: 10, minimum: 1, maximum: 1000, description: 'Rounds of history kept.' }),
    prompt: Type.Array(
      Type.Object(
        {
          role: choice(['system', 'user', 'assistant'], 'system', 'Who says it.'),
          content: text('', 'What is said.'),
        },
        { additionalProperties: false },
      ),
      {
        default: [{ role: 'system', content: 'You are a helpful assistant.' }],
        maxItems: 100,
        description: 'Said before the conversation.',
      },
    ),
    'knowledge-bases': texts('uuids of the knowledge bases that are searched.'),
  }),
  'dify-service-api': group('Answers with a Dify application.', {
    'base-url': Address({ default: 'https://api.dify.ai/v1', description: 'Address of the service.' }),
    'base-prompt': text(
      'Read the attached file. If it is an image, describe what it shows.',
      'Said when a message has no text.',
    ),
    'app-type': choice(['chat', 'agent', 'workflow'], 'chat', 'Kind of application.'),
    'api-key': Secret({ default: 'your-api-key', description: 'Key of the application.' }),
    timeout: seconds(30, 'Seconds to wait.'),
  }),
  'n8n-service-api': group('Answers with an n8n workflow.', {
    'webhook-url': Address({ default: 'http://your-n8n-webhook-url', description: 'Address of the webhook.' }),
    'auth-type': choice(['none', 'basic', 'jwt', 'header'], 'none', 'How the call is authenticated.'),
    'basic-username': text('', 'For basic authentication.'),
    'basic-password': Secret({ default: '', description: 'For basic authentication.' }),
    'jwt-secret': Secret({ default: '', description: 'For JWT authentication.' }),
    'jwt-algorithm': text('HS256', 'For JWT authentication.'),
    'header-name': text('', 'For header authentication.'),
    'header-value': Secret({ default: '', description: 'For header authentication.' }),
    timeout: seconds(120, 'Seconds to wait.'),
    'output-key': text('response', 'Field of the answer that holds the text.'),
  }),
  'coze-api': group('Answers with a Coze bot.', {
    'api-key': Secret({ default: '', description: 'Key of the account.' }),
    'bot-id': text('', 'The bot.'),
    'api-base': Address({ default: 'https://api.coze.cn', description: 'Address of the service.' }),
    'auto-save-history': flag(true, 'Keeps the history at the service.'),
    timeout: seconds(120, 'Seconds to wait.'),
  }),
  'tbox-app-api': group('Answers with a Tbox application.', {
    'api-key': Secret({ default: '', description: 'Key of the account.' }),
    'app-id': text('', 'The application.'),
  }),
  'dashscope-app-api': group('Answers with an Aliyun Bailian application.', {
    'app-type': choice(['agent', 'workflow'], 'agent', 'Kind of application.'),
    'api-key': Secret({ default: 'your-api-key', description: 'Key of the account.' }),
    'app-id': text('your-app-id', 'The application.'),
    references_quote: text('参考资料来自:', 'Put before the sources of an answer.'),
  }),
  'langflow-api': group('Answers with a Langflow flow.', {
    'base-url': Address({ default: 'http://localhost:7860', description: 'Address of the service.' }),
    'api-key': Secret({ default: 'your-api-key', description: 'Key of the service.' }),
    'flow-id': text('your-flow-id', 'The flow.'),
    'input-type': text('chat', 'Kind of input.'),
    'output-type': text('chat', 'Kind of output.'),
    tweaks: text('{}', 'Changes to the flow, JSON.'),
  }),
});

const output = group('How the answer is sent.', {
  'long-text-processing': group('What becomes of long answers.', {
    threshold: Type.Integer({ default: 1000, minimum: 1, maximum: 1_000_000, description: 'Characters.' }),
    strategy: choice(['none', 'forward', 'image'], 'none', 'How a long answer is sent.'),
    'font-path': text('', 'Font for answers sent as an image.'),
  }),
  'force-delay': group('Waits before an answer is sent.', {
    min: seconds(0, 'Least seconds.'),
    max: seconds(0, 'Most seconds.'),
  }),
  misc: group('Other output.', {
    'exception-handling': choice(
      ['show-error', 'show-hint', 'hide'],
      'show-hint',
      'What is said when answering failed.',
    ),
    'failure-hint': text('Request failed.', 'Said by `show-hint`.'),
    'at-sender': flag(true, 'Mentions the sender in a group.'),
    'quote-origin': flag(true, 'Quotes the message that is answered.'),
    'track-function-calls': flag(false, 'Tells which tools are called.'),
    'remove-think': flag(false, 'Leaves out what the model thought aloud.'),
  }),
});

export const PipelineConfig = Type.Object({ trigger, safety, ai, output }, { additionalProperties: false });
export type PipelineConfig = Static<typeof PipelineConfig>;
