import { Address, Secret } from '@parley/sdk';
import Type, { type Static, type TObject } from 'typebox';
import { Timestamp, Uuid } from '../../lib/schema-parts.ts';

export const AlertTargetKind = Type.Enum(['email', 'webhook', 'chat']);
export type AlertTargetKind = Static<typeof AlertTargetKind>;

/** Languages of notices, as the console has them. */
export const NoticeLanguage = Type.Enum(['en', 'zh-Hans', 'ja']);
export type NoticeLanguage = Static<typeof NoticeLanguage>;

/** `tls`: encrypted from the start. `starttls`: required before anything is sent. `none`: not encrypted. */
export const MailEncryption = Type.Enum(['tls', 'starttls', 'none']);

const MailAddress = Type.String({ minLength: 3, maxLength: 320, pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$' });

export const EmailConfig = Type.Object({
  // The password is sent to it.
  host: Object.assign(Address(), { minLength: 1, maxLength: 253, pattern: '^[^\\s/@]+$' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 587 }),
  encryption: Type.Enum(['tls', 'starttls', 'none'], { default: 'starttls' }),
  user: Type.String({ maxLength: 320, default: '' }),
  password: Secret({ default: '' }),
  from: MailAddress,
  to: Type.Array(MailAddress, { minItems: 1, maxItems: 20, uniqueItems: true }),
});
export type EmailConfig = Static<typeof EmailConfig>;

export const WebhookConfig = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 1024 }),
});

export const ChatConfig = Type.Object({
  bot_uuid: Uuid,
  target_type: Type.Enum(['person', 'group'], { default: 'person' }),
  target_id: Type.String({ minLength: 1, maxLength: 255 }),
});
export type ChatConfig = Static<typeof ChatConfig>;

export const configByKind: Record<AlertTargetKind, TObject> = {
  email: EmailConfig,
  webhook: WebhookConfig,
  chat: ChatConfig,
};

const text = (description: string) => Type.Optional(Type.String({ maxLength: 1024, description }));

/** What is needed to reach a target. */
export const AlertTargetConfig = Type.Object(
  {
    host: text('E-mail: name or address of the SMTP server.'),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    encryption: Type.Optional(MailEncryption),
    user: text('E-mail: account at the SMTP server; empty for none.'),
    password: text('E-mail: masked when it is read. A masked one retains the stored one while `host` stays.'),
    from: text('E-mail: address of the sender.'),
    to: Type.Optional(
      Type.Array(Type.String({ maxLength: 320 }), { maxItems: 20, description: 'E-mail: addresses of recipients.' }),
    ),
    url: text('Webhook: an http or https address without account name and password.'),
    bot_uuid: Type.Optional(Uuid),
    target_type: Type.Optional(Type.Enum(['person', 'group'])),
    target_id: text('Chat: a user or group, as for sending messages.'),
  },
  { additionalProperties: false, description: 'Which fields a target has depends on its kind; see docs/alerts.md.' },
);
export type AlertTargetConfig = Static<typeof AlertTargetConfig>;

const Name = Type.String({ minLength: 1, maxLength: 255 });

/** Where notices of alerts are sent. */
export const AlertTarget = Type.Object(
  {
    uuid: Uuid,
    name: Name,
    kind: AlertTargetKind,
    language: NoticeLanguage,
    config: AlertTargetConfig,
    secret: Type.String({
      description: 'Webhook: the signing secret, shown in full on creation only, then masked. Else empty.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'AlertTarget' },
);
export type AlertTarget = Static<typeof AlertTarget>;

export type StoredAlertTarget = AlertTarget & { sealed_secrets: string | null };

export const CreateAlertTarget = Type.Object(
  {
    name: Name,
    kind: AlertTargetKind,
    language: Type.Optional(NoticeLanguage),
    config: AlertTargetConfig,
  },
  { additionalProperties: false },
);
export type CreateAlertTarget = Static<typeof CreateAlertTarget>;

export const UpdateAlertTarget = Type.Object(
  {
    name: Type.Optional(Name),
    language: Type.Optional(NoticeLanguage),
    config: Type.Optional(AlertTargetConfig),
  },
  { additionalProperties: false, description: 'Omitted fields stay as they are. The kind cannot be changed.' },
);
export type UpdateAlertTarget = Static<typeof UpdateAlertTarget>;

/** The result of a test notice. */
export const NoticeTest = Type.Object(
  { delivered: Type.Boolean(), error: Type.Union([Type.String(), Type.Null()]) },
  { title: 'AlertNoticeTest' },
);
export type NoticeTest = Static<typeof NoticeTest>;
