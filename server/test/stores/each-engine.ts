import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Tables } from '../../src/storage/database.ts';
import type { Engine } from '../../src/storage/engine.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openTestStorage } from './open-test-storage.ts';

export const engines: readonly Engine[] = ['sqlite', 'postgres'];

/** Every table but the queue, which goes with the conversations; those that refer to others come before them. */
const tables: readonly (keyof Tables)[] = [
  'message_retrievals',
  'message_citations',
  'knowledge_collection_documents',
  'knowledge_evaluations',
  'knowledge_questions',
  'knowledge_documents',
  'knowledge_collections',
  'knowledge_bases',
  'webhook_attempts',
  'webhook_deliveries',
  'message_traces',
  'message_contexts',
  'reply_contexts',
  'media_references',
  'model_calls',
  'tool_calls',
  'deliveries',
  'messages',
  'answer_cancellations',
  'conversations',
  'bot_events',
  'bot_pipelines',
  'adapter_values',
  'used_requests',
  'used_states',
  'bot_greetings',
  'bot_states',
  'bots',
  'pipeline_models',
  'pipeline_versions',
  'pipeline_drafts',
  'pipelines',
  'models',
  'providers',
  'model_prices',
  'event_counts',
  'files',
  'webhooks',
  'alert_notices',
  'alerts',
  'alert_rules',
  'alert_targets',
  'mcp_servers',
  'plugins',
  'plugin_values',
  'plugin_value_sizes',
  'plugin_model_calls',
  'plugin_schedules',
  'plugin_packages',
  'tasks',
  'audit_entries',
  'idempotency_keys',
  'api_keys',
  'attempts',
  'sessions',
  'accounts',
  'metadata',
  'embedding_calls',
  'feedbacks',
  'monitoring_rollups',
  // Deleting old rows marks hours.
  'monitoring_marks',
];

/** Registers tests on SQLite and on a real PostgreSQL. Each test finds the tables empty. */
export function describeOnEachEngine(name: string, define: (storage: () => Storage) => void): void {
  describe.each(engines)(`${name} on %s`, (engine) => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await openTestStorage(engine);
    });
    afterAll(() => storage.close());
    beforeEach(() =>
      storage.database.transaction().execute(async (transaction) => {
        for (const table of tables) await transaction.deleteFrom(table).execute();
      }),
    );
    define(() => storage);
  });
}
