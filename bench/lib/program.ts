import { randomBytes } from 'node:crypto';

/** A program that may use a service: what it sends with every request, and what it reads. */
export interface Program {
  headers: { 'x-api-key': string };
  /** Path of the pipeline that every new service has. */
  pipelinePath: string;
}

/** Calls the API of a service. */
export interface Caller {
  /** @returns `data`. @throws Error when the service refuses */
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by their path
  call(method: string, path: string, body?: object): Promise<any>;
}

/** Calls the API of a service with these headers. */
export function caller(address: string, headers: Record<string, string> = {}): Caller {
  return {
    call: async (method, path, body) => {
      const response = await fetch(`${address}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as { msg: string; data: unknown };
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer.data;
    },
  };
}

/** Of every service that this process measures. */
export const setupToken = randomBytes(18).toString('base64url');
/** Of every service that this process measures. */
const account = { user: 'benchmark@example.com', password: randomBytes(18).toString('base64url') };

/** Makes the first account of a new service and signs in. @throws Error when the service refuses */
export async function createAccount(address: string): Promise<Caller> {
  await caller(address).call('POST', '/api/v1/user/init', { ...account, setup_token: setupToken });
  return caller(address, { authorization: `Bearer ${await signIn(address)}` });
}

/** @returns a token of the account that was made. @throws Error when the service refuses */
export async function signIn(address: string): Promise<string> {
  return (await caller(address).call('POST', '/api/v1/user/auth', account)).token;
}

/** Makes the first account of a new service, and an API key. @throws Error when the service refuses */
export async function createProgram(address: string): Promise<Program> {
  const account = await createAccount(address);
  const { key } = await account.call('POST', '/api/v1/apikeys', {
    name: 'benchmark',
    scopes: ['read', 'write', 'send', 'admin'],
  });
  const headers = { 'x-api-key': key.key };
  const { pipelines } = await caller(address, headers).call('GET', '/api/v1/pipelines');
  if (pipelines.length === 0) throw new Error('A new service has no pipeline');
  return { headers, pipelinePath: `/api/v1/pipelines/${pipelines[0].uuid}` };
}
