import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What Node can do at most: the answer in BARE_ANSWER, `{headers, body}` as JSON, to every request and with no work.
 * Runs as a process of its own.
 */
const { headers, body } = JSON.parse(process.env.BARE_ANSWER ?? '') as {
  headers: Record<string, string>;
  body: string;
};

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  console.log(`Bare server is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
