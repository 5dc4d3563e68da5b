import { session } from './session.ts';

/** With these, the session cookie counts. Pages of other origins cannot send them. */
export const consoleHeaders = { 'x-parley-console': '1' };

/** Calls the server as the user who is signed in, and ends the session here when the server refuses it. */
export async function consoleFetch(request: Request): Promise<Response> {
  const begun = session.current();
  for (const [name, value] of Object.entries(consoleHeaders)) request.headers.set(name, value);
  const response = await fetch(request);
  // A refusal that was meant for an older session says nothing about the one that replaced it.
  if (response.status === 401 && begun !== null && session.current() === begun) session.end({ byServer: true });
  return response;
}
