import { writeFileSync } from 'node:fs';
import { type Reason, reasons } from '@parley/sdk';
import { statusOf } from '../server/src/http/error-mapping.ts';

/** Where the generated page is. */
export const errorDocsFile = new URL('../docs/errors.md', import.meta.url);

/** The page that lists every reason a request can be refused for, in order of its status. */
export function errorDocs(): string {
  const sorted = (Object.keys(reasons) as Reason[]).sort((left, right) => statusOf(left) - statusOf(right));
  return `# Errors

<!-- Made by scripts/write-error-docs.ts from sdk/src/errors.ts and server/src/http/error-mapping.ts; do not edit. -->

An answer that is not 200 has this body:

\`\`\`json
{
  "code": -1,
  "msg": "message_chain[0].text: is required",
  "reason": "invalid_request",
  "details": [{ "path": "message_chain[0].text", "message": "is required" }],
  "request_id": "0b9c2f0e-5d0c-4c8e-9f0a-3f3d6d1c7a52"
}
\`\`\`

\`code\` is -1 for a refused request and -2 for an unexpected fault. \`msg\` is for people and may change; \`reason\` is stable,
so programs may branch on it. \`details\` is there where fields are wrong. \`request_id\` is in the log of the server.
The same reasons stand on messages and deliveries that failed without a request to answer.

| reason | status | meaning |
|---|---|---|
${sorted.map((reason) => `| \`${reason}\` | ${statusOf(reason)} | ${reasons[reason]} |`).join('\n')}
`;
}

if (import.meta.main) writeFileSync(errorDocsFile, errorDocs());
