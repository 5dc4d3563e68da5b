import type { JSONSchema7 } from '@ai-sdk/provider';
import type { OpenedModel, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import type { OfferedTools, WantedCall } from '../../kit/model-requests/model-request.ts';
import { CitedAnswer } from './cited-answer.ts';
import type { LocalAgentSettings } from './config.ts';
import { Conversation } from './conversation.ts';
import { Knowledge, knowledgeTool } from './knowledge.ts';
import { MessageMedia } from './message-media.ts';
import { ModelFallback, type ModelFallbackOptions } from './model-fallback.ts';
import type { ToolRound } from './tool-round.ts';

export interface AnswerSettings extends ModelFallbackOptions {
  /** Longest wait for the knowledge bases, milliseconds. */
  retrievalTimeoutMs: number;
}

/** Tools that a model may call at once; more is no plan but a fault. */
const maximumCallsAtOnce = 32;

/** Calls the model, runs its tool calls and repeats with their results, until there is an answer. */
export async function* answer(
  request: RunnerRequest,
  context: RunnerContext,
  config: LocalAgentSettings,
  settings: AnswerSettings,
): AsyncGenerator<RunnerDelta> {
  const { signal, retrievalTimeoutMs } = settings;
  const knowledge = new Knowledge(config, context, { question: request.text, timeoutMs: retrievalTimeoutMs, signal });
  const mayCall = ({ abilities }: OpenedModel) => config.maximumToolSteps > 0 && abilities.includes('func_call');
  const conversation = new Conversation(request, {
    passages: (opened) => knowledge.before(mayCall(opened)),
    media: new MessageMedia(context, signal),
  });
  const models = new ModelFallback(config.models, context, settings);
  const answered = new CitedAnswer(knowledge, config.citations, context, request.signal);
  let offered: Promise<OfferedTools | null> | undefined;
  let said = '';
  for (;;) {
    const isLast = conversation.rounds.length >= config.maximumToolSteps;
    const answer = yield* answered.checked(
      models.ask({
        messages: (opened) => conversation.messagesFor(opened),
        tools: async (opened) => {
          if (isLast || !mayCall(opened)) return null;
          offered ??= offeredTools(context, knowledge);
          return offered;
        },
        note: isLast && conversation.rounds.length > 0 ? 'step_limit' : null,
        // Text before and after tool calls is separated.
        separator: said === '' || said.endsWith('\n') ? '' : '\n\n',
        mayBeEmpty: said !== '',
      }),
    );
    said = answer.text || said;
    if (answer.calls.length === 0) break;
    const known = await offered;
    for (const { name } of answer.calls.slice(0, maximumCallsAtOnce)) {
      if (known?.has(name)) yield { type: 'tool_call', name };
    }
    conversation.rounds.push({
      model_uuid: answer.opened.uuid,
      said: answer.said,
      calls: await callTools(answer.calls, context, knowledge, signal),
    });
    yield* answered.retrievals();
  }
  yield* answered.conclusion();
}

async function callTools(
  calls: WantedCall[],
  context: RunnerContext,
  knowledge: Knowledge,
  signal: AbortSignal,
): Promise<ToolRound['calls']> {
  const asksKnowledge = ({ name }: WantedCall) => knowledge.isOffered && name === knowledgeTool.name;
  const made = calls.slice(0, maximumCallsAtOnce);
  const questions = made.filter(asksKnowledge);
  const [found, results] = await Promise.all([
    knowledge.answers(questions.map(({ input }) => input)),
    Promise.all(made.map((call) => (asksKnowledge(call) ? null : context.tools.call(call.name, call.input, signal)))),
  ]);
  const answers = new Map(questions.map((call, index) => [call, found[index]]));
  const tooMany = { text: `err: at most ${maximumCallsAtOnce} tools can be called at once`, failed: true };
  return calls.map((call, index) => {
    const { text, failed } = answers.get(call) ?? results[index] ?? tooMany;
    return { ...call, result: text, failed };
  });
}

/** Null when there are none. */
async function offeredTools(context: RunnerContext, knowledge: Knowledge): Promise<OfferedTools | null> {
  const allowed = await allowedTools(context);
  // Of two tools with one name a model can be offered only one.
  const list = knowledge.isOffered
    ? [knowledgeTool, ...allowed.filter(({ name }) => name !== knowledgeTool.name)]
    : allowed;
  if (list.length === 0) return null;
  return new Map(
    list.map(({ name, description, parameters }) => {
      // Some providers require fields that an empty schema omits.
      const inputSchema: JSONSchema7 = { type: 'object', properties: {}, ...parameters };
      return [name, { type: 'function', name, description, inputSchema }];
    }),
  );
}

/** An answer without tools is better than none. */
async function allowedTools({ tools, logger }: RunnerContext): Promise<Awaited<ReturnType<typeof tools.list>>> {
  try {
    return await tools.list();
  } catch (error) {
    logger.error({ error }, 'failed to list tools, answering without them');
    return [];
  }
}
