import Type, { type TSchema } from 'typebox';

/** Every successful response: `data` is always an object. */
export function success<Data extends object>(data: Data): { code: 0; msg: 'ok'; data: Data } {
  return { code: 0, msg: 'ok', data };
}

/** The response without data, once the work is done. */
export async function done(work: Promise<unknown>) {
  await work;
  return success({});
}

/** The `code` of every successful response. */
export const Zero = Type.Unsafe<0>({ type: 'integer', const: 0 });

/** Schema of {@link success}, for the API description. */
export function Success<Data extends TSchema>(data: Data) {
  return Type.Object({ code: Zero, msg: Type.Literal('ok'), data });
}

export const Nothing = Type.Object({}, { additionalProperties: false });

export const Problem = Type.Object(
  { code: Type.String(), parameters: Type.Record(Type.String(), Type.String()) },
  { description: 'What exactly is wrong: a problem of docs/errors.md.' },
);

export const ErrorResponse = Type.Object(
  {
    code: Type.Integer({ description: 'Non-zero: -1 for a refused request, -2 for an unexpected fault.' }),
    msg: Type.String(),
    reason: Type.String({ description: 'A stable word that says why.' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          message: Type.String(),
          rule: Type.Optional(
            Type.String({ description: 'The broken rule: a keyword of JSON Schema, or a rule of docs/errors.md.' }),
          ),
          limit: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Array(Type.String())])),
        }),
      ),
    ),
    response: Type.Optional(
      Type.Object(
        { status: Type.Union([Type.Integer(), Type.Null()]), text: Type.String() },
        { description: 'What a provider or another service returned.' },
      ),
    ),
    hint: Type.Optional(
      Type.Object(
        { code: Type.String(), parameters: Type.Record(Type.String(), Type.String()) },
        { description: 'The cause, if it can be named: a hint of docs/errors.md.' },
      ),
    ),
    problem: Type.Optional(Problem),
    request_id: Type.String(),
  },
  { $id: 'ErrorResponse', title: 'ErrorResponse' },
);

/** Responses by status, with the error body for each status that the route can return. */
export function answers<Data extends TSchema>(data: Data, ...errors: number[]) {
  const error = Type.Ref('ErrorResponse');
  return { 200: Success(data), ...Object.fromEntries(errors.map((status) => [status, error])) };
}
