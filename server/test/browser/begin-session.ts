import type { BrowserContext } from 'playwright-core';

/** Signs a browser in that did not open the sign-in page. @param token a user token, whose session it takes */
export async function beginSession(context: BrowserContext, address: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await context.request.get(`${address}/api/v1/user/check-token`, { headers, failOnStatusCode: true });
  await context.addInitScript(() => localStorage.setItem('signed-in', 'here'));
}
