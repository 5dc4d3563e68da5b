import Type, { type Static } from 'typebox';

/** A code of an authenticator app, or a recovery code. */
export const SecondFactorCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A code of the authenticator app, or a recovery code, which works once.',
});

export const SecondFactorStatus = Type.Object(
  {
    enabled: Type.Boolean(),
    enabled_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
  },
  { title: 'SecondFactorStatus' },
);
export type SecondFactorStatus = Static<typeof SecondFactorStatus>;

export const ProposedSecondFactor = Type.Object({
  secret: Type.String({ description: 'For authenticator apps that take no QR code; base32.' }),
  uri: Type.String({ description: '`otpauth://totp/…`, which a QR code shows to an authenticator app.' }),
});
export type ProposedSecondFactor = Static<typeof ProposedSecondFactor>;
