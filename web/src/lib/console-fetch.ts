import { session } from './session.ts';

/** Required for the session cookie. Pages of other origins cannot send these headers. */
export const consoleHeaders = { 'x-parley-console': '1' };

/** Calls the server as the console. */
export function plainFetch(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(consoleHeaders)) request.headers.set(name, value);
  return fetch(request);
}

/** Calls the server as the signed-in user. When the session has ended, the call waits until the user is signed in again. */
export async function consoleFetch(request: Request): Promise<Response> {
  const begun = session.current();
  if (begun === null) return plainFetch(request);
  const repetition = request.clone();
  const response = await plainFetch(request);
  if (response.status !== 401) return response;
  // A rejection of an older session does not concern the new one.
  const isRenewed = session.current() === begun ? await session.reject(begun) : session.current() !== null;
  return isRenewed ? consoleFetch(repetition) : response;
}
