import { describe, expect, it } from 'vitest';
import { builtInCommandService } from '../../../test/factories/built-in-command-service.ts';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import { CommandRun, type CommandRunOptions } from './command-run.ts';
import type { Message } from './message.ts';
import { RunningAnswers } from './running-answers.ts';

const names: Record<string, string> = { first: 'Quick', second: 'Good' };
const configOf = (partial: Record<string, unknown>) => builtInSchema.read(completeConfig(partial));
const agent = { model: { primary: 'FIRST', fallbacks: ['gone', 'second', 'first'] } };
const config = configOf({ ai: { 'local-agent': agent } });
const since = '2026-01-02T03:04:05.678Z';

/** A conversation in which a command is given. */
function open() {
  const question: Message = {
    ...conversationKey(),
    uuid: newUuid(),
    conversation_uuid: newUuid(),
    direction: 'inbound',
    platform_message_id: null,
    reply_to: null,
    sequence: 7,
    sender_id: 'ada',
    sender_name: 'Ada',
    facts: {},
    message_chain: [],
    text: '',
    state: 'processing',
    reason: null,
    merged_into: null,
    webhook_wait_until: null,
    attempts: 1,
    model_uuid: null,
    created_at: now(),
    finished_at: null,
  };
  const historyCalls: unknown[] = [];
  const said = [
    { direction: 'inbound', text: 'Hello' },
    { direction: 'outbound', text: 'Good day' },
  ] as Message[];
  const history: CommandRunOptions['history'] = {
    before: async (...place) => {
      historyCalls.push(place);
      return said;
    },
    cancelledBy: async (message) => (message === question ? 2 : 0),
    status: async () => ({ rounds: 1, waiting: 0, since }),
  };
  const ended: string[] = [];
  const conversations: CommandRunOptions['conversations'] = {
    end: async (uuid) => ended.push(uuid) > 0,
    chooseModel: async (conversation, model) => {
      if (conversation === question.conversation_uuid) question.model_uuid = model;
    },
  };
  const running = new RunningAnswers();
  const run = new CommandRun({
    history,
    conversations,
    commands: builtInCommandService(),
    running,
    pipelineName: async (uuid) => (uuid === question.pipeline_uuid ? 'Support' : null),
    modelName: async (uuid) => names[uuid] ?? null,
  });
  const say = async (text: string, pipeline: PipelineConfig = config): Promise<string> => {
    const message = { ...question, message_chain: plain(text) };
    const command = run.parse(message, null);
    if (command === null) throw new Error('it is no command');
    return (await run.run(command, message, { config: pipeline, question })).text;
  };
  return { question, running, ended, historyCalls, run, say };
}

describe('a command', () => {
  it('is none when the text is none', () => {
    const { run, question } = open();
    expect(run.parse({ ...question, message_chain: plain('Hello!') }, null)).toBeNull();
  });

  it('chooses a model for its conversation', async () => {
    const { say, question } = open();
    expect(await say('!model')).toBe('1. Quick (answers)\n2. Good');
    await say('!model good');
    expect(question.model_uuid).toBe('second');
    expect(await say('!model')).toBe('1. Quick\n2. Good (answers)');
    expect(await say('!status')).toContain('Pipeline: Support\nModel: Good\n');
    expect(await say('!model default')).toContain('Quick answers');
    expect(question.model_uuid).toBeNull();
    await say('!model 2');
    // The pipeline has changed, and the selected model is not one of its models any more.
    const other = configOf({ ai: { 'local-agent': { model: { primary: 'first', fallbacks: [] } } } });
    expect(await say('!model', other)).toBe('1. Quick (answers)');
  });

  it('knows no models of a pipeline that a service elsewhere answers for', async () => {
    const elsewhere = configOf({ ai: { 'local-agent': agent, runner: { runner: 'dify-service-api' } } });
    expect(await open().say('!model', elsewhere)).toBe('No model of this system answers here.');
  });

  it('ends its own conversation', async () => {
    const { say, ended, question } = open();
    expect(await say('!reset')).toBe('The conversation was reset.');
    expect(ended).toEqual([question.conversation_uuid]);
  });

  it('shows the messages before it', async () => {
    const { say, historyCalls, question } = open();
    expect(await say('!history 4')).toBe('Question: Hello\nAnswer: Good day');
    expect(historyCalls).toEqual([[question.conversation_uuid, 7, 4]]);
  });

  it('reports what it cancelled', async () => {
    expect(await open().say('!cancel')).toBe('Cancelled. 2 messages will not be answered.');
  });

  it('does not count itself as in progress', async () => {
    const { say, running, question } = open();
    expect(await running.run(question, () => say('!status'))).toContain('In progress in this chat: none');
    expect(
      await running.run({ ...question, uuid: newUuid(), conversation_uuid: newUuid() }, () => say('!status')),
    ).toContain('this chat: 1 answer');
  });
});
