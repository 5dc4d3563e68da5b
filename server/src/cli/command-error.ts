/** A command that cannot run because of the command line itself. `message` is for the caller. */
export class CommandError extends Error {
  readonly reason: 'invalid_usage' | 'interrupted' | 'not_found' | 'failed';

  constructor(reason: CommandError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
