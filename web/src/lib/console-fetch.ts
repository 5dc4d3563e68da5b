import { session } from './session.ts';

/** Required for the session cookie. Pages of other origins cannot send these headers. */
export const consoleHeaders = { 'x-parley-console': '1' };

/** Calls the server as the signed-in user, and ends the local session when the server rejects it. */
export async function consoleFetch(request: Request): Promise<Response> {
  const begun = session.current();
  for (const [name, value] of Object.entries(consoleHeaders)) request.headers.set(name, value);
  const response = await fetch(request);
  // A rejection of an older session does not concern the new one.
  if (response.status === 401 && begun !== null && session.current() === begun) session.end({ byServer: true });
  return response;
}
