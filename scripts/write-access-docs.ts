import { writeFileSync } from 'node:fs';
import type { RequiredAccess } from '../server/src/core/accounts/authenticator.ts';
import type { Access, InventoryRoute } from '../server/src/http/access.ts';
import { inspectService } from './inspect-service.ts';

/** Where the generated page is. */
export const accessDocsFile = new URL('../docs/access.md', import.meta.url);

/** The page that lists every route with what it asks of its caller. */
export function accessDocs(): Promise<string> {
  return inspectService(async ({ server, inventory }) => {
    await server.ready();
    return pageOf(inventory);
  });
}

function pageOf(inventory: readonly InventoryRoute[]): string {
  // What is asked of a GET is asked of its HEAD.
  const routes = inventory.filter(({ method }) => method !== 'HEAD');
  const rows = routes.sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1)).map(rowOf);
  return `# Access

<!-- Made by scripts/write-access-docs.ts from the routes; do not edit. -->

Every route says what it asks of its caller; one that does not keeps the server from starting. A request is checked before
its body is read. Without a good credential it is 401 \`unauthorized\`; with an API key where only a signed-in account may,
403 \`user_token_required\`; with a key that lacks the scope, 403 \`scope_required\`; with an account that lacks the role,
403 \`role_required\`.

- **Credential.** A user token comes from signing in; an API key has scopes. Routes with \`cookie\` also take the sign-in
  cookie, from pages of the server's own origin: browsers cannot give websockets and event streams a header. Where it is
  \`optional\`, who has none is answered, too, and told less.
- **Scope.** What an API key needs. \`read\` reads, \`write\` changes, \`send\` sends and chats, \`admin\` manages keys, accounts
  and settings. None includes another. Accounts have no scopes.
- **Role.** What the account needs. A \`member\` reads, chats, sends, retries deliveries and manages knowledge and the own
  account; an \`admin\` does everything. An API key never exceeds the account that it belongs to, whatever its scopes say; one
  of the installation has no account, so only its scopes count. A change of role takes effect with the next request, and ends
  open connections.

HEAD asks for the same as GET.

| method | path | credential | scope | role |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function nameOf({ method, url }: InventoryRoute): string {
  return `${url} ${method}`;
}

function rowOf({ method, url, access, recognizes }: InventoryRoute): string {
  const asked = access === 'open' ? recognizes : access;
  const scope = asked === null || asked.credential === 'user' ? '' : `\`${asked.scope}\``;
  const role = asked === null ? '' : `\`${asked.role}\``;
  return `| ${method} | \`${url}\` | ${credentialsOf(access, recognizes)} | ${scope} | ${role} |`;
}

function credentialsOf(access: Access, recognizes: RequiredAccess | null): string {
  if (access === 'open') return recognizes === null ? 'none' : `optional: ${credentialsOf(recognizes, null)}`;
  const header = access.credential === 'user' ? 'user token' : 'user token, API key';
  return access.cookie === true ? `${header}, cookie` : header;
}

if (import.meta.main) writeFileSync(accessDocsFile, await accessDocs());
