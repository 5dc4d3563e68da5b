import { loadPageTexts } from './i18n.ts';
import { session } from './session.ts';

/** Required for the session cookie. Pages of other origins cannot send these headers. */
export const consoleHeaders = { 'x-parley-console': '1' };

/** Calls the server as the console. */
export async function plainFetch(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(consoleHeaders)) request.headers.set(name, value);
  const answer = await fetch(request);
  // The texts of errors are not among the first ones. Without them, the message of the server is shown.
  if (!answer.ok) await loadPageTexts().catch(() => undefined);
  return answer;
}

/** Calls the server as the signed-in user, see {@link repeatAfterSignIn}. */
export function consoleFetch(request: Request): Promise<Response> {
  return repeatAfterSignIn(() => plainFetch(request.clone()));
}

/** Sends a request. When the session has ended, it is sent again once the user has signed in again. */
export async function repeatAfterSignIn<Answer extends { status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  const begun = session.current();
  const answer = await send();
  if (answer.status !== 401 || begun === null) return answer;
  // A rejection of an older session does not concern the new one.
  const isRenewed = session.current() === begun ? await session.reject() : session.current() !== null;
  return isRenewed ? repeatAfterSignIn(send) : answer;
}
