import { readFileSync, writeFileSync } from 'node:fs';

/** What a route has of its counterpart in the reference system. */
export interface CompatibleRoute {
  /** `GET /api/v1/pipelines/{pipeline_uuid}` */
  route: string;
  /** `repaired`: clients keep working, and what was wrong is not. `not applicable`: there is nothing for it to do here. */
  status: 'same' | 'repaired' | 'not applicable';
  difference?: string;
}

interface CompatibilityTable {
  /** `test` is the path of their tests from the root. */
  groups: { name: string; test: string; routes: CompatibleRoute[] }[];
  /** Routes in the same groups that the reference system does not have. */
  added: { route: string; purpose: string }[];
  /** Where the routes are that the table is not about. */
  elsewhere: { prefix: string; note: string }[];
}

export const compatibilityTable = JSON.parse(
  readFileSync(new URL('../docs/compatibility.json', import.meta.url), 'utf8'),
) as CompatibilityTable;

/** Where the generated page is. */
export const compatibilityDocsFile = new URL('../docs/compatibility.md', import.meta.url);

/** The page that compares every route with the reference system's, and links to the tests of each group. */
export function compatibilityDocs(): string {
  const { groups, added, elsewhere } = compatibilityTable;
  const routes = groups.flatMap((group) => group.routes);
  const count = (status: CompatibleRoute['status']) => routes.filter((route) => route.status === status).length;
  return `# Compatibility

<!-- Made by scripts/write-compatibility-docs.ts from docs/compatibility.json; do not edit. -->

Clients of the reference system, version 4.9.5, work with this server as they are. This page goes through its
${routes.length} routes of accounts, models, bots, pipelines, knowledge bases, MCP servers, monitoring and system: ${count('same')} are the same, ${count('repaired')} are the same to clients and
repaired where the reference system was wrong, ${count('not applicable')} have nothing to do here. Each group links to its tests, which do
what the web client of the reference system does.

Everywhere: \`data\` of a success is an object, \`{}\` where the reference system has null. Refusals have a status of 400 or
more, \`code\` -1 and a stable \`reason\` ([errors](errors.md)), where the reference system often has 200 or 500. Unknown fields of a body are
refused, except those that a read returned. Moments end with \`Z\`. Secrets are masked, and a mask that is sent back
keeps what is stored. A path without the method is 405 as JSON. NUL or half of a surrogate pair in the name of a record, and a
key \`__proto__\` anywhere in a body, are 400 with their path. Every error below \`/bots\` also has its message as \`error\`.
A request has 30 seconds to arrive, an upload or a body of more than 1 MB 300 seconds; under \`/api/v1/user\` it is at most 16 KB.
An address in a private network that an API key without the scope \`admin\` saves or tests is 403 \`private_address\`; signed-in
admins may save it. What the role of an account does not allow is 403 \`role_required\`; the first account, which the web client
makes, is an admin, and so are those of before there were roles. [access.md](access.md) lists the role of every route.
${groups.map((group) => `\n## ${group.name}\n\n${tableOf(group)}`).join('')}
## Routes that the reference system does not have

| route | what it is for |
|---|---|
${added.map(({ route, purpose }) => `| \`${route}\` | ${purpose} |`).join('\n')}

## Not on this page

| path | |
|---|---|
${elsewhere.map(({ prefix, note }) => `| \`${prefix}\` | ${note} |`).join('\n')}
`;
}

function tableOf({ test, routes }: CompatibilityTable['groups'][number]): string {
  const file = test.split('/').at(-1);
  const rows = routes.map(({ route, status, difference = '' }) => `| \`${route}\` | ${status} | ${difference} |`);
  return `Tests in [${file}](../${test}).

| route | status | difference |
|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main) writeFileSync(compatibilityDocsFile, compatibilityDocs());
