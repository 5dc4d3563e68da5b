import type { Scope } from '../../src/core/accounts/api-key.ts';
import type { TestRequest, TestService } from './start-test-service.ts';

/** The ways of presenting a good credential, each with the part of a request that does so. */
export async function everyCredential(
  service: TestService,
  scope: Scope,
): Promise<[name: string, part: Pick<TestRequest, 'apiKey' | 'bearer' | 'headers'>][]> {
  const { key } = await service.createApiKey([scope]);
  const { token } = service.account;
  return [
    ['an API key in X-API-Key', { apiKey: key }],
    ['an API key as a bearer credential', { bearer: key }],
    ['a user token as a bearer credential', { bearer: token }],
    ['a bare API key in Authorization', { headers: { authorization: key } }],
    ['a bare user token in Authorization', { headers: { authorization: token } }],
    ['the word bearer in small letters', { headers: { authorization: `bearer  ${token}` } }],
    ['a user token beside an empty X-API-Key', { apiKey: '', bearer: token }],
    ['an API key in X-API-Key beside a bad token', { apiKey: key, bearer: 'not a token' }],
  ];
}

/** Ways to send an invalid credential, each with its error message. */
export const badCredentials: [name: string, part: Pick<TestRequest, 'apiKey' | 'bearer'>, message: string][] = [
  ['none', {}, 'No valid authentication provided (user token or API key required)'],
  ['an empty key', { apiKey: '' }, 'No valid authentication provided (user token or API key required)'],
  ['an unknown key', { apiKey: 'lbk_unknown' }, 'Invalid API key'],
  ['an unknown bearer key', { bearer: 'lbk_unknown' }, 'Invalid authentication credentials'],
  ['a bad token', { bearer: 'not.a.token' }, 'Invalid authentication credentials'],
];
