import type { AnswerLimits, Logger, PipelineMessage, SessionType, Stage, StageContext } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ParsedCommand } from '../commands/parse-command.ts';
import type { EventCounter } from '../limits/event-counter.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import type { CommandRun } from './command-run.ts';
import type { MediaFetch } from './media-fetch.ts';
import type { Message } from './message.ts';
import type { MessageLedger } from './message-ledger.ts';
import type { WebhookOutcomes } from './webhook-outcomes.ts';

export interface StageContextParts {
  messages: Pick<MessageLedger, 'waitingBehind'>;
  commands: Pick<CommandRun, 'parse'>;
  counter: Pick<EventCounter, 'countEvent'>;
  storeMedia: StageContext['storeMedia'];
  webhooks: WebhookOutcomes;
  mediaFetch: Pick<MediaFetch, 'complete'>;
  logger: Logger;
}

/** How many of those that wait behind a message a stage is shown. */
const maximumWaiting = 50;

/** What all stages may use on a message. */
export type CommonStageContext = Omit<StageContext, 'config'>;

export function createStageContext(
  question: Message,
  bot: RunningBot,
  signal: AbortSignal,
  parts: StageContextParts,
): CommonStageContext {
  const botAccountId = bot.adapter.accountId?.() ?? null;
  return {
    botAccountId,
    platform: answerLimits(bot, question.session_type),
    now: () => present(),
    logger: parts.logger,
    signal,
    isCommand: (message) => parsedCommand(message, bot, botAccountId, parts.commands) !== null,
    waitingMessages: () => waitingBehind(question, bot, signal, parts),
    countEvent: (key, windowStart, limit) => parts.counter.countEvent(key, windowStart, limit, question.uuid),
    storeMedia: parts.storeMedia,
  };
}

function answerLimits({ adapter, capabilities }: RunningBot, sessionType: SessionType): AnswerLimits {
  const { text_limit, elements, streams, answers_quote = true } = capabilities;
  const stream = adapter.stream === undefined ? undefined : streams[sessionType];
  const editLimit = text_limit && { most: text_limit.most_in_edit ?? text_limit.most, unit: text_limit.unit };
  return {
    text_limit,
    stream_limit: stream === undefined ? null : (stream.text_limit ?? editLimit),
    elements: answers_quote ? elements : elements.filter((type) => type !== 'Quote'),
  };
}

/** The context of each stage, with its own settings. */
export function contextOfStage(context: CommonStageContext, config: PipelineConfig): (stage: Stage) => StageContext {
  return ({ name }) => ({ ...context, config: config.stages.get(name) ?? {} });
}

/** Null when it is no command, or the bot has none. */
export function parsedCommand(
  message: PipelineMessage,
  { platform }: RunningBot,
  botAccountId: string | null,
  commands: Pick<CommandRun, 'parse'>,
): ParsedCommand | null {
  return platform.commands === false ? null : commands.parse(message, botAccountId);
}

/** Waiting messages that may be merged into one, as far as webhooks permit. */
async function waitingBehind(
  question: Message,
  bot: RunningBot,
  signal: AbortSignal,
  { messages, webhooks, mediaFetch }: Pick<StageContextParts, 'messages' | 'webhooks' | 'mediaFetch'>,
): Promise<PipelineMessage[]> {
  const ours: PipelineMessage[] = [];
  for (const message of await messages.waitingBehind(question, maximumWaiting)) {
    const said = message.webhook_wait_until === null ? null : await webhooks.outcomeOf(message);
    if (said?.outcome === 'awaited') break;
    if (said?.outcome !== 'skipped') {
      ours.push(pipelineMessage(await mediaFetch.complete(message, bot, signal)));
    }
  }
  return ours;
}

/** A message as stages and runners get it. */
export function pipelineMessage(message: Message): PipelineMessage {
  const { uuid, bot_uuid, pipeline_uuid, conversation_uuid, session_type, session_id, thread_id } = message;
  const { sequence, platform_message_id, sender_id, sender_name, facts, message_chain, created_at } = message;
  return {
    uuid,
    bot_uuid,
    pipeline_uuid,
    conversation_uuid,
    session_type,
    session_id,
    thread_id,
    sequence,
    platform_message_id,
    sender_id,
    sender_name,
    facts,
    message_chain,
    created_at,
  };
}
