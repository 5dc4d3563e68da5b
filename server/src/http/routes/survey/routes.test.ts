import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const bearer = service.account.token;

afterAll(() => service.stop());

it('has no survey pending', async () => {
  const answer = await service.request({ url: '/api/v1/survey/pending', bearer });
  expect(answer.body).toEqual({ code: 0, msg: 'ok', data: { survey: null } });
});

it.each([
  ['respond', { survey_id: 's', answers: { q: ['a'] }, completed: false }],
  ['respond', { survey_id: 's' }],
  ['dismiss', { survey_id: 's' }],
])('does not know the survey to %s to', async (path, json) => {
  const answer = await service.request({ method: 'POST', url: `/api/v1/survey/${path}`, bearer, json });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: -1, reason: 'not_found', msg: expect.stringContaining('survey') });
});

it.each([
  ['respond', {}, 'survey_id'],
  ['respond', { survey_id: '' }, 'survey_id'],
  ['respond', { survey_id: 's', answers: [] }, 'answers'],
  ['dismiss', { survey_id: 1 }, 'survey_id'],
  ['dismiss', { survey_id: 's', answers: {} }, 'answers'],
])('answers 400 to %s with %o', async (path, json, field) => {
  const answer = await service.request({ method: 'POST', url: `/api/v1/survey/${path}`, bearer, json });
  expect([answer.status, answer.body.details[0].path]).toEqual([400, field]);
});
