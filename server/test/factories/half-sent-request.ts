import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request over a bare connection, whose body is sent as the test likes. */
export interface HalfSentRequest {
  socket: Socket;
  /** Whatever the server has sent so far. */
  answer(): string;
  /** Whether the server ended the connection. */
  closed(): boolean;
}

/**
 * Sends the head of a POST and the first part of its body.
 * @param address origin of the server
 * @param headers in addition to `host`; they contain the length of the body
 */
export async function sendHalf(
  address: string,
  path: string,
  headers: Record<string, string | number>,
  beginning: string | Buffer = '',
): Promise<HalfSentRequest> {
  const { hostname, port, host } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  let closed = false;
  socket
    .on('data', (data) => {
      answer += data;
    })
    .on('error', () => {})
    .on('close', () => {
      closed = true;
    });
  await once(socket, 'connect');
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(beginning);
  return { socket, answer: () => answer, closed: () => closed };
}
