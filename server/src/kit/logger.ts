import pino, { type Logger as PinoLogger } from 'pino';

/** Fields that may hold a secret wherever they appear; what is in them is not written. */
const secretFields = [
  'authorization',
  'cookie',
  'x-api-key',
  'password',
  'token',
  'api_key',
  'api_keys',
  'recovery_key',
  'setup_token',
  'secret',
];

/** The log: one JSON object a line on the standard error stream, so that the standard output stays for people. */
export function createLogger(level: string): PinoLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      redact: {
        paths: secretFields.flatMap((field) => {
          const name = field.includes('-') ? `["${field}"]` : field;
          return field.includes('-') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`];
        }),
        censor: '[redacted]',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
