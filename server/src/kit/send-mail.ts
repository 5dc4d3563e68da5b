import { isIP } from 'node:net';
import { problemError } from '@parley/sdk';
import { type AddressPolicy, isAddressAllowed } from './address-policy.ts';
import { type Resolve, resolveWithSystem } from './resolve.ts';

/** An SMTP server, and who writes to whom. */
export interface MailServer {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  /** Empty for none. */
  user: string;
  password: string;
  from: string;
  to: string[];
}

export interface MailerOptions {
  policy: AddressPolicy;
  resolve?: Resolve;
  /** Certificates that are trusted in addition, PEM; for tests. */
  ca?: string;
}

/** Longest wait for the connection, the greeting, and each answer, milliseconds. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** Creates what sends e-mails, each through a connection of its own, to servers that the policy allows. */
export function createMailer({ policy, resolve = resolveWithSystem, ca }: MailerOptions) {
  /**
   * @param id of the message, the same each time that it is sent
   * @throws ParleyError `address_not_allowed`; errors of the connection, and what the server answered
   */
  return async (
    server: MailServer,
    { id, subject, text }: { id: string; subject: string; text: string },
    signal: AbortSignal,
  ): Promise<void> => {
    // Loaded on first use: most installations send none.
    const { createTransport } = await import('nodemailer');
    const address = await allowedAddress(server.host, policy, resolve);
    signal.throwIfAborted();
    const transport = createTransport({
      ...patience,
      // The address that was checked; the certificate is that of the name.
      host: address,
      port: server.port,
      secure: server.encryption === 'tls',
      requireTLS: server.encryption === 'starttls',
      ignoreTLS: server.encryption === 'none',
      tls: {
        ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
        ...(ca === undefined ? {} : { ca }),
      },
      ...(server.user === '' ? {} : { auth: { user: server.user, pass: server.password } }),
      // Nothing of a message is read from files or addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const close = () => transport.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const sending = transport.sendMail({
        from: server.from,
        to: server.to,
        subject,
        text,
        messageId: `<${id}@${server.from.slice(server.from.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      const { rejected } = await Promise.race([sending, aborted(signal)]);
      if (rejected.length > 0)
        throw new Error(`The server refused ${rejected.length} of ${server.to.length} recipients`);
    } finally {
      signal.removeEventListener('abort', close);
      transport.close();
    }
  };
}

async function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return promise;
}

async function allowedAddress(host: string, policy: AddressPolicy, resolve: Resolve): Promise<string> {
  const addresses = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
  const allowed = addresses.find((address) => isAddressAllowed(address, policy));
  if (allowed === undefined) {
    throw problemError('address_refused', { host });
  }
  return allowed;
}
