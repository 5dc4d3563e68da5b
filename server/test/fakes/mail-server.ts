import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message that a server accepted. */
export interface ReceivedMail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** Whether it came through an encrypted connection. */
  isEncrypted: boolean;
  user: string;
}

export interface MailServer {
  host: string;
  port: number;
  /** Accepted messages, in order. */
  received: ReceivedMail[];
  /** Answers to messages from now on: an error that refuses them, or null. */
  refuse(error: { code: number; text: string } | null): void;
  /** How many messages were refused. */
  readonly refused: number;
  close(): Promise<void>;
}

/** An SMTP server on a local socket, for the account `parley` with the password that is given. */
export async function startMailServer(
  password: string,
  options: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const { port = 0, ...others } = options;
  const received: ReceivedMail[] = [];
  let refusal: { code: number; text: string } | null = null;
  let refused = 0;
  const server = new SMTPServer({
    // Passwords also without encryption, for servers that have none.
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    ...others,
    onAuth({ username, password: given }, _session, callback) {
      if (username === 'parley' && given === password) callback(null, { user: username });
      else callback(new Error(`Invalid login ${given}`));
    },
    async onData(stream, session, callback) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      if (refusal !== null) {
        refused += 1;
        callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        return;
      }
      const mail = await PostalMime.parse(Buffer.concat(parts));
      received.push({
        id: mail.messageId ?? '',
        from: mail.from?.address ?? '',
        to: session.envelope.rcptTo.map(({ address }) => address),
        subject: mail.subject ?? '',
        text: (mail.text ?? '').trim(),
        isEncrypted: session.secure,
        user: String(session.user ?? ''),
      });
      callback();
    },
  });
  server.on('error', () => {});
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return {
    host: '127.0.0.1',
    port: (listener.address() as AddressInfo).port,
    received,
    refuse: (error) => {
      refusal = error;
    },
    get refused() {
      return refused;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
