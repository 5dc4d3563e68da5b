import { randomBytes } from 'node:crypto';

/** A program that may use a service: what it sends with every request, and what it reads. */
export interface Program {
  headers: { 'x-api-key': string };
  /** Path of the pipeline that every new service has. */
  pipelinePath: string;
}

/** Makes the first account of a new service, and an API key. @throws Error when the service refuses */
export async function createProgram(address: string): Promise<Program> {
  const call = async <Data>(method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { msg: string; data: Data };
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer.msg}`);
    return answer.data;
  };
  const account = { user: 'benchmark@example.com', password: randomBytes(18).toString('base64url') };
  await call('POST', '/api/v1/user/init', account);
  const { token } = await call<{ token: string }>('POST', '/api/v1/user/auth', account);
  const authorization = { authorization: `Bearer ${token}` };
  const { key } = await call<{ key: { key: string } }>('POST', '/api/v1/apikeys', { name: 'benchmark' }, authorization);
  const headers = { 'x-api-key': key.key };
  const list = await call<{ pipelines: { uuid: string }[] }>('GET', '/api/v1/pipelines', undefined, headers);
  const [pipeline] = list.pipelines;
  if (pipeline === undefined) throw new Error('A new service has no pipeline');
  return { headers, pipelinePath: `/api/v1/pipelines/${pipeline.uuid}` };
}
