import {
  type ErrorDetail,
  type Hint,
  ParleyError,
  type Problem,
  type Reason,
  type RemoteResponse,
  reasons,
} from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';

/*
 * What the call of a replica answers: a result, the error of what was asked for, or why it was not done at all.
 */

/** Why a call was not done. */
export type Refusal =
  | 'unsigned'
  | 'other_addressee'
  | 'late'
  | 'repeated'
  | 'too_large'
  | 'broken'
  | 'unknown_call'
  | 'busy';

const errorSchema = Type.Object({
  reason: Type.String(),
  message: Type.String(),
  retryAfterSeconds: Type.Optional(Type.Number()),
  details: Type.Optional(Type.Array(Type.Unknown())),
  response: Type.Optional(Type.Unknown()),
  hint: Type.Optional(Type.Unknown()),
  problem: Type.Optional(Type.Object({ code: Type.String(), parameters: Type.Record(Type.String(), Type.String()) })),
});

const answerSchema = Type.Union([
  Type.Object({ result: Type.Unknown() }),
  Type.Object({ error: errorSchema }),
  Type.Object({ refused: Type.String() }),
]);

export type CallAnswer = { result: unknown } | { error: Static<typeof errorSchema> } | { refused: string };

/** Null for what is no answer of a replica. */
export function parseAnswer(body: Buffer): CallAnswer | null {
  try {
    const answer: unknown = JSON.parse(body.toString());
    return Check(answerSchema, answer) ? answer : null;
  } catch {
    return null;
  }
}

/** What another replica gets to know of an error: what a client would. */
export function errorParts(error: unknown): Static<typeof errorSchema> {
  if (!(error instanceof ParleyError)) return { reason: 'internal', message: reasons.internal };
  const { reason, message, details, response, hint, problem, retryAfterSeconds } = error;
  return JSON.parse(JSON.stringify({ reason, message, details, response, hint, problem, retryAfterSeconds }));
}

/** The error of another replica, as it is thrown here. A reason that only its version knows is `internal`. */
export function errorOf(parts: Static<typeof errorSchema>): ParleyError {
  const { reason, message, details, response, hint, problem, retryAfterSeconds } = parts;
  return new ParleyError(Object.hasOwn(reasons, reason) ? (reason as Reason) : 'internal', message, {
    retryAfterSeconds,
    // Of a replica that signed them, with the types of an error's parts.
    ...(details && { details: details as ErrorDetail[] }),
    response: response as RemoteResponse | undefined,
    hint: hint as Hint | undefined,
    problem: problem as Problem | undefined,
  });
}
