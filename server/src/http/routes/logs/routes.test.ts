import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ApiClient, signedIn } from '../../../../test/end-to-end/api-client.ts';
import { startServiceProcess } from '../../../../test/factories/start-service-process.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

describe('GET /api/v1/logs', () => {
  it('gives what the process logged, line by line, to who polls', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-logs-'));
    const process = await startServiceProcess({ dataDir, environment: { PARLEY_LOG_LEVEL: 'info' } });
    try {
      const api: ApiClient = await signedIn(process.address);
      const first = await api.data('GET', '/logs');
      const shown = first.logs.split('\n').slice(0, -1);
      expect(shown).toContainEqual(
        expect.stringMatching(
          /^\[\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\] [\w.-]+\.js \(\d+\) - \[INFO\] : Server listening at http:\/\/127\.0\.0\.1/,
        ),
      );
      const logged = process
        .output()
        .stderr.split('\n')
        .filter((line) => line.startsWith('{'));
      expect(shown).toHaveLength(logged.length);
      expect(first).toMatchObject({ end_page_number: 0, end_offset: shown.length });
      const next = `/logs?start_page_number=${first.end_page_number}&start_offset=${first.end_offset}`;
      expect(await api.data('GET', next)).toEqual({ ...first, logs: '' });
    } finally {
      await process.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('GET /api/v1/logs with a place', async () => {
  const service = await startTestService({ listen: false });
  const bearer = service.account.token;
  afterAll(() => service.stop());

  it.each([
    '',
    '?start_page_number=0',
    '?start_offset=0',
    '?start_page_number=9007199254740991&start_offset=9007199254740991',
  ])('answers "%s"', async (query) => {
    const answer = await service.request({ url: `/api/v1/logs${query}`, bearer });
    expect(answer.body.data).toEqual({ logs: '', end_page_number: 0, end_offset: 0 });
  });

  it.each([
    'start_page_number=-1',
    'start_page_number=one',
    'start_page_number=1.5',
    'start_page_number=',
    'start_page_number=1e400',
    'start_offset=-1',
    'start_offset=%00',
    'start_offset=9007199254740993',
    'start_offset=0&start_offset=1',
  ])('answers 400 to %s', async (query) => {
    const answer = await service.request({ url: `/api/v1/logs?${query}`, bearer });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe(`query.${query.split('=')[0]}`);
  });

  it('is for administrators', async () => {
    const { key } = await service.createApiKey(['read', 'write', 'send']);
    const answer = await service.request({ url: '/api/v1/logs', apiKey: key });
    expect([answer.status, answer.body.reason]).toEqual([403, 'scope_required']);
  });
});
