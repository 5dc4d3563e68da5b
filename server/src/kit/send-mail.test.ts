import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer as FakeMailServer, startMailServer } from '../../test/fakes/mail-server.ts';
import { createMailer, type MailServer } from './send-mail.ts';

const host = 'mail.example.org';
const password = 'a password of a mailbox';
const mail = { id: 'alert-1', subject: 'The bot is offline', text: 'It is offline.' };

describe.each(['tls', 'starttls'] as const)('mail over %s', (encryption) => {
  let fake: FakeMailServer;
  let certificate: string;
  const mailer = (options: { ca?: string } = { ca: certificate }) =>
    createMailer({
      policy: 'saved',
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      ...options,
    });
  const server = (over: Partial<MailServer> = {}): MailServer => ({
    host,
    port: fake.port,
    encryption,
    user: 'parley',
    password,
    from: 'parley@example.org',
    to: ['ada@example.org'],
    ...over,
  });

  beforeAll(async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: host }], {
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
    });
    certificate = cert;
    fake = await startMailServer(password, {
      secure: encryption === 'tls',
      hideSTARTTLS: false,
      allowInsecureAuth: false,
      key,
      cert,
    });
  });
  afterAll(() => fake?.close());

  it('arrives encrypted, with the name of the server checked', async () => {
    await mailer()(server(), mail, AbortSignal.timeout(10_000));
    expect(fake.received).toEqual([
      {
        id: '<alert-1@example.org>',
        from: 'parley@example.org',
        to: ['ada@example.org'],
        subject: mail.subject,
        text: mail.text,
        isEncrypted: true,
        user: 'parley',
      },
    ]);
  });

  it.each<[string, Partial<MailServer>, { ca?: string }]>([
    ['of another name', { host: 'other.example.org' }, { ca: 'this' }],
    ['of an unknown authority', {}, {}],
  ])('is not sent to a server with a certificate %s', async (_, over, { ca }) => {
    const before = fake.received.length;
    const send = mailer(ca === undefined ? {} : { ca: certificate });
    await expect(send(server(over), mail, AbortSignal.timeout(10_000))).rejects.toThrow(/certificate|altnames/i);
    expect(fake.received).toHaveLength(before);
  });
});

it('does not send a password without the encryption that was asked for', async () => {
  const fake = await startMailServer(password, { hideSTARTTLS: true });
  const send = createMailer({ policy: 'saved' });
  const server: MailServer = {
    host: fake.host,
    port: fake.port,
    encryption: 'starttls',
    user: 'parley',
    password,
    from: 'parley@example.org',
    to: ['ada@example.org'],
  };
  await expect(send(server, mail, AbortSignal.timeout(10_000))).rejects.toThrow();
  expect(fake.received).toEqual([]);
  await fake.close();
});
