import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const { key: apiKey } = await service.createApiKey(['read']);
const unknown = '00000000-0000-7000-8000-000000000000';

afterAll(() => service.stop());

it.each([
  ['bases', { bases: [] }],
  ['engines', { engines: [] }],
  ['parsers', { parsers: [] }],
  ['parsers?mime_type=application%2Fpdf', { parsers: [] }],
  ['migration/status', { needed: false, internal_kb_count: 0, external_kb_count: 0 }],
])('GET /api/v1/knowledge/%s is empty', async (path, data) => {
  const answer = await service.request({ url: `/api/v1/knowledge/${path}`, apiKey });
  expect(answer.body).toEqual({ code: 0, msg: 'ok', data });
});

it.each([unknown, 'x', '%00'])('knows no knowledge base %s', async (uuid) => {
  for (const url of [`/api/v1/knowledge/bases/${uuid}`, `/api/v1/knowledge/bases/${uuid}/files`]) {
    const answer = await service.request({ url, apiKey });
    expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
  }
});

it.each([
  ['POST', 'bases', 405],
  ['PUT', `bases/${unknown}`, 405],
  ['DELETE', `bases/${unknown}`, 405],
  ['POST', `bases/${unknown}/files`, 405],
  ['DELETE', `bases/${unknown}/files/${unknown}`, 404],
  ['POST', `bases/${unknown}/retrieve`, 404],
  ['POST', 'migration/execute', 404],
])('has no %s of %s', async (method, path, status) => {
  const answer = await service.request({ method, url: `/api/v1/knowledge/${path}`, apiKey, json: {} });
  expect([answer.status, answer.body.code]).toEqual([status, -1]);
});
