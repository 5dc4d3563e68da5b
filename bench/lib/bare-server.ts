import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What Node can do at most: the answers in BARE_ANSWERS, `{path: {headers, body}}` as JSON, to every request and with no
 * work. Runs as a process of its own.
 */
const answers = new Map(
  Object.entries(
    JSON.parse(process.env.BARE_ANSWERS ?? '') as Record<string, { headers: Record<string, string>; body: string }>,
  ),
);

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '') ?? answers.get('*');
  if (answer === undefined) throw new Error(`There is no answer for ${request.url}`);
  response.writeHead(200, answer.headers);
  response.end(answer.body);
});

server.listen(0, '127.0.0.1', () => {
  console.log(`Bare server is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
