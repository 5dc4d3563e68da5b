import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { apiClient, apiKey, defaults, openChat, signedIn } from './api-client.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'parley-unsent-uploads-'));
let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ dataDir });
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('files that were uploaded for a message that never came are removed, and those of messages are kept', async () => {
  const api = await signedIn(service.address);
  const key = await apiKey(api);
  const { pipeline } = await defaults(api);
  const headers = { authorization: `Bearer ${key}` };
  const upload = async (name: string) => {
    const body = new FormData();
    body.append('file', new Blob([name]), name);
    const response = await fetch(`${service.address}/api/v1/files/attachments`, { method: 'POST', headers, body });
    const { data } = (await response.json()) as { data: { attachment: { file_key: string; size: number } } };
    return { type: 'File', path: data.attachment.file_key, name, size: data.attachment.size };
  };
  const blobs = () =>
    readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'installation',
    ).length;
  const chat = async () => openChat(service.address, { pipeline, headers });

  const [sent, late, never] = [await upload('sent.txt'), await upload('late.txt'), await upload('never.txt')];
  const before = await chat();
  before.send({ type: 'message', message: [{ type: 'Plain', text: 'Look' }, sent], message_id: 'sent' });
  await before.frame(({ type, data }) => type === 'user_message' && data.message_id === 'sent');
  expect(blobs()).toBe(3);
  await service.kill('SIGKILL');

  const database = new DatabaseSync(join(dataDir, 'parley.db'));
  const dayAgo = new Date(Date.now() - 26 * 3_600_000).toISOString();
  database.prepare('update files set created_at = ?').run(dayAgo);
  const stored = () =>
    database
      .prepare('select name, purpose from files order by name')
      .all()
      .map(({ name, purpose }) => `${name}: ${purpose}`);
  expect(stored()).toEqual(['late.txt: unsent', 'never.txt: unsent', 'sent.txt: media']);

  service = await startServiceProcess({ dataDir });
  await expect.poll(stored, { timeout: 10_000 }).toEqual(['sent.txt: media']);
  database.close();
  expect(blobs()).toBe(1);

  const after = await chat();
  after.send({ type: 'message', message: [{ type: 'Plain', text: 'Look' }, late], message_id: 'late' });
  expect(await after.frame(({ type }) => type === 'error')).toMatchObject({
    reason: 'invalid_request',
    message_id: 'late',
    missing_file: late.path,
  });
  after.send({ type: 'message', message: [{ type: 'Plain', text: 'Again' }, sent], message_id: 'again' });
  await after.frame(({ type, data }) => type === 'user_message' && data.message_id === 'again');
  const client = apiClient(service.address, key);
  const { messages } = await client.data('GET', `/pipelines/${pipeline}/ws/messages/person`);
  const chains = messages.map(
    ({ message_chain }: { message_chain: { path?: string }[] }) => message_chain.at(-1)?.path,
  );
  expect(chains).toContain(sent.path);
  expect(chains).not.toContain(never.path);
  expect(chains).not.toContain(late.path);
  await after.close();
});
