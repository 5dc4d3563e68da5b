import { isIP } from 'node:net';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether an address or a host name reaches this machine only. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return loopbackNames.has(plain) || (isIP(plain) === 4 && plain.startsWith('127.'));
}
