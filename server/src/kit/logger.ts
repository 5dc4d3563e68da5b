import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import pino, { type Logger as PinoLogger } from 'pino';

/** Fields that may hold a secret anywhere; their values are redacted. */
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
  'setup_link',
  'secret',
];

/** Takes each line of the log, a JSON object and a newline. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  /** Receives the same lines. */
  copy?: LogDestination;
  /** Instead of the standard error stream. */
  destination?: LogDestination;
  /** Fields of every line, as they are at that time. */
  fields?: () => object;
}

/**
 * The log: one JSON object per line, with its origin in the program as `source`. Default destination: the standard
 * error stream, since the standard output is for command results.
 */
export function createLogger(level: string, { copy, destination, fields }: LoggerOptions = {}): PinoLogger {
  const main = destination ?? pino.destination({ fd: 2, sync: true });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      mixin: () => ({ ...fields?.(), source: callerOfLog() }),
      redact: {
        paths: secretFields.flatMap((field) => {
          const name = field.includes('-') ? `["${field}"]` : field;
          return field.includes('-') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`];
        }),
        censor: '[redacted]',
      },
    },
    {
      write: (line: string) => {
        main.write(line);
        copy?.write(line);
      },
    },
  );
}

/** Between the call of a logger and {@link callerOfLog} lie the mixin and two functions of the library. */
const framesOfLibrary = 6;
const isOfLibrary = /[\\/]node_modules[\\/]pino[\\/]/;

/** `bot-runtime.ts:72` */
function callerOfLog(): string {
  const frames = getCallSites(framesOfLibrary);
  const { scriptName = '', lineNumber = 0 } =
    frames[frames.findLastIndex(({ scriptName }) => isOfLibrary.test(scriptName)) + 1] ?? {};
  const path = scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName;
  return `${basename(path)}:${lineNumber}`;
}
