import { vi } from 'vitest';
import { bodyExamples } from './body-examples.ts';
import { multipart, multipartType } from './multipart.ts';
import { smallPackage } from './plugin-client.ts';
import type { TestService } from './start-test-service.ts';

/** Ids of records, and an address, by the names that paths and bodies have for them: `:bot_uuid`. */
export type ExampleRecords = Readonly<Record<string, string>>;

/**
 * Creates the records that {@link bodyExamples} change, so that right bodies are accepted.
 * @param modelServer base URL of an OpenAI-compatible server
 */
export async function createExampleRecords(
  { request, account }: TestService,
  modelServer: string,
): Promise<ExampleRecords> {
  const bearer = account.token;
  const given = { model_server: modelServer };
  const read = async (path: string) => (await request({ url: `/api/v1${path}`, bearer })).body.data;
  const send = async (path: string, example: unknown = bodyExamples[`POST /api/v1${path}`]) => {
    const json = JSON.parse(withRecords(JSON.stringify(example), given));
    const { status, body, text } = await request({ method: 'POST', url: `/api/v1${path}`, bearer, json });
    if (status !== 200) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
    return body.data;
  };
  const upload = async () => {
    const payload = multipart({ name: 'file', filename: 'f.txt', type: 'text/plain', content: 'Some words.' });
    const headers = { 'content-type': multipartType, authorization: `Bearer ${bearer}` };
    return (await request({ method: 'POST', url: '/api/v1/files/documents', headers, payload })).body.data.file_id;
  };

  const installPlugin = async () => {
    const content = smallPackage('1.0.0', { id: 'example/existing' });
    const payload = multipart({ name: 'file', filename: 'p.zip', type: 'application/zip', content });
    const headers = { 'content-type': multipartType, authorization: `Bearer ${bearer}` };
    const { body } = await request({ method: 'POST', url: '/api/v1/plugins/install/local', headers, payload });
    await vi.waitFor(
      async () => {
        if (!(await read(`/system/tasks/${body.data.task_id}`)).runtime.done)
          throw new Error('it is not installed yet');
      },
      { timeout: 15_000 },
    );
    const { digest } = (await read('/plugins/example/existing')).details.installed;
    await send('/plugins/example/existing/consent', { digest, enable: false });
  };

  const [bot] = (await read('/platform/bots')).bots;
  const base = (await send('/knowledge/bases')).uuid;
  const attached = { file_id: await upload(), metadata: { language: 'de' } };
  const [document] = (await send(`/knowledge/bases/${base}/files`, attached)).files;
  const expected = [{ file_name: 'f.txt', quote: 'words' }];
  await send(`/knowledge/bases/${base}/questions`, { questions: [{ question: 'existing', expected }] });
  const [question] = (await read(`/knowledge/bases/${base}/questions`)).questions;
  const person = { user: 'kim@example.com', password: 'a password that is hard to guess', role: 'member' };
  await send('/accounts', person);
  const member = (await read('/accounts')).accounts.find(({ user }: { user: string }) => user === person.user);
  await send('/mcp/servers', { ...bodyExamples['POST /api/v1/mcp/servers'], name: 'existing' });
  await installPlugin();
  const message_chain = [{ type: 'Plain', text: 'Hello' }];
  await send(`/platform/bots/${bot.uuid}/send_message`, { target_type: 'person', target_id: 'user-1', message_chain });
  const [message] = (await read('/messages?limit=1')).messages;
  return {
    ...given,
    bot_uuid: bot.uuid,
    pipeline_uuid: (await send('/pipelines')).uuid,
    provider_uuid: (await send('/provider/providers')).uuid,
    llm_uuid: (await send('/provider/models/llm')).uuid,
    embedding_uuid: (await send('/provider/models/embedding')).uuid,
    rerank_uuid: (await send('/provider/models/rerank')).uuid,
    knowledge_base_uuid: base,
    question_uuid: question.uuid,
    document_uuid: document.uuid,
    uploaded_id: await upload(),
    account_uuid: member.uuid,
    rule_uuid: (await send('/alerts/rules')).rule.uuid,
    target_uuid: (await send('/alerts/targets')).target.uuid,
    message_uuid: message.uuid,
    adapter_name: 'websocket',
    author: 'example',
    name: 'existing',
    session_type: 'person',
    id: '1',
  };
}

/** A body with the ids of records in it. */
export function withRecords(body: string, records: ExampleRecords): string {
  return body.replaceAll(
    /:(pipeline_uuid|document_uuid|uploaded_id|model_server)\b/g,
    (_, name) => records[name] as string,
  );
}

/** The path of a route with ids of records, and with an unknown one where there are none. */
export function pathOf(url: string, records: ExampleRecords): string {
  const unknown = '00000000-0000-7000-8000-000000000000';
  // Tests of models and platforms would call other servers.
  if (url.endsWith('/test')) return url.replaceAll(/:\w+/g, unknown);
  const kind = /\/models\/(llm|embedding|rerank)\//.exec(url)?.[1];
  return url
    .replace(':model_uuid', `:${kind}_uuid`)
    .replaceAll(/:(\w+)/g, (_, name: string) => records[name] ?? unknown);
}
