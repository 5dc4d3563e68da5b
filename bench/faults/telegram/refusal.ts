/** An answer of the Bot API that is no success. */
export class Refusal extends Error {
  readonly code: number;
  readonly retryAfter: number | string | null;

  constructor(code: number, description: string, retryAfter: number | string | null = null) {
    super(description);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export const badRequest = (description: string) => new Refusal(400, `Bad Request: ${description}`);
export const conflict = (description: string) => new Refusal(409, `Conflict: ${description}`);
