import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ account: false, listen: false, config: { basePath: '/parley' } });

afterAll(() => service.stop());

it('serves the description of the interface as the file holds it', async () => {
  const answer = await service.request({ url: '/api/v1/openapi.json' });
  const file = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.text).toBe(readFileSync(file, 'utf8'));
  expect(answer.body).toMatchObject({ openapi: '3.1.0', info: { version: '4.9.5' } });
});

it('serves a page whose files are all there and are ours', async () => {
  const page = await service.request({ url: '/docs' });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = page.headers['content-security-policy'];
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('script-src');
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
  expect(links).toHaveLength(3);
  for (const link of links) {
    expect(link).toMatch(/^\/parley\/docs\//);
    const file = await service.request({ url: link });
    expect(file.status).toBe(200);
    expect(file.text.length).toBeGreaterThan(50);
    expect(file.headers['content-type']).toMatch(/^(text\/css|(text|application)\/javascript)/);
    expect(file.headers['x-content-type-options']).toBe('nosniff');
  }
  expect((await service.request({ url: '/docs/show.js' })).text).toContain("url: '/parley/api/v1/openapi.json'");
});

it('serves no other file of the package', async () => {
  for (const path of ['index.html', 'package.json', '..%2fpackage.json', 'swagger-ui-bundle.js.map']) {
    const answer = await service.request({ url: `/docs/${path}` });
    expect(answer.status, path).toBe(404);
    expect(answer.body, path).toMatchObject({ code: -1, reason: 'not_found' });
  }
});
