import type { Reason } from '@parley/sdk';
import type { MessageRecord } from '../../src/core/messages/message-trace.ts';
import { now } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Engine } from '../../src/storage/engine.ts';
import { createLedger } from '../../src/storage/messages/open-ledger.ts';
import { KyselyToolCallStore } from '../../src/storage/tools/kysely-tool-call-store.ts';
import { claimOne } from '../stores/claim-one.ts';
import { conversationKey, messageEvent } from '../stores/ledger-records.ts';
import { answered, answerOf, sent } from '../stores/ledger-steps.ts';
import { livingReplica } from '../stores/replicas.ts';

/** What messages of {@link writeMonitoredLedger} are about. */
export interface MonitoredLedger {
  /** A question of Ada that the second model answered, with a failed tool call. */
  question: string;
  answer: string;
  /** Bob's message could not be answered. */
  failed: string;
  /** A group's message was answered, and the answer could not be delivered. */
  undelivered: string;
}

/** Writes a few messages with calls of models and tools into the ledger of a service that answers none of them. */
export async function writeMonitoredLedger(
  database: Database,
  { bot_uuid, pipeline_uuid, engine = 'sqlite' }: { bot_uuid: string; pipeline_uuid: string; engine?: Engine },
): Promise<MonitoredLedger> {
  const claimant = await livingReplica(database);
  const ledger = createLedger(database, engine, { webhookWaitMs: 0, claimant });
  const tools = new KyselyToolCallStore(database, engine, claimant);
  const receive = async (
    text: string,
    over: { session_type?: 'group'; session_id: string },
    sender = over.session_id,
  ) => {
    const key = conversationKey({ bot_uuid, pipeline_uuid, ...over });
    await ledger.messages.accept(
      key,
      messageEvent(text, { ...over, sender_id: sender, sender_name: sender.toUpperCase() }),
    );
    const message = await claimOne(ledger.messages, []);
    if (message === null) throw new Error('nothing was waiting');
    return message;
  };
  const recordOf = (...calls: [model: string, input: number, output: number, cost: number | null, reason?: Reason][]) =>
    ({
      trace: {
        attempt: 1,
        gates: [
          { name: 'runner', outcome: 'passed', reason: null, milliseconds: 1, details: { runner: 'local-agent' } },
        ],
      },
      model_calls: calls.map(([model_name, input_tokens, output_tokens, cost, reason = null]) => ({
        uuid: newUuid(),
        model_uuid: null,
        model_name,
        started_at: now(),
        milliseconds: 300,
        first_piece_milliseconds: 100,
        input_tokens,
        output_tokens,
        cost,
        reason,
        error: reason === null ? null : 'The service is busy',
      })),
    }) satisfies MessageRecord;

  const question = await receive('=1+1, is it?', { session_id: 'ada' });
  const call = newUuid();
  const begun = { uuid: call, message_uuid: question.uuid, tool_name: 'count', parameters: '{}', started_at: now() };
  await tools.begin(begun, question.claim);
  const end = {
    result: null,
    result_size: null,
    reason: 'tool_failed' as Reason,
    error: 'No numbers',
    milliseconds: 5,
  };
  await tools.end(call, { ...end, state: 'failed' });
  const record = recordOf(['small', 10, 0, null, 'provider_failed'], ['large', 100, 20, 0.0125]);
  const { message: answer } = await ledger.deliveries.finishAnswer(question, answerOf('Two'), record);
  const first = { uuid: answer.uuid, piece: 0, delivery: sent };
  await ledger.messages.settle(question, answered, { answer: first, merged: [], record: null });

  const failed = await receive('Hello?', { session_id: 'bob' });
  const failure = { state: 'failed', reason: 'provider_timeout' } as const;
  await ledger.messages.settle(failed, failure, {
    answer: null,
    merged: [],
    record: recordOf(['small', 0, 0, null, 'provider_timeout']),
  });

  const undelivered = await receive('Hello all', { session_type: 'group', session_id: 'team' }, 'carl');
  const { message: lost } = await ledger.deliveries.finishAnswer(
    undelivered,
    answerOf('Hello'),
    recordOf(['small', 7, 3, 0.0005]),
  );
  const refused = { state: 'failed', reason: 'quota', error: 'Too many', platform_message_id: null } as const;
  await ledger.messages.settle(
    undelivered,
    { state: 'failed', reason: 'quota' },
    { answer: { uuid: lost.uuid, piece: 0, delivery: refused }, merged: [], record: null },
  );
  return { question: question.uuid, answer: answer.uuid, failed: failed.uuid, undelivered: undelivered.uuid };
}
