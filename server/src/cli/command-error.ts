/** A command that cannot be done, for a reason of the command line itself. `message` is for whoever called it. */
export class CommandError extends Error {
  readonly reason: 'invalid_usage' | 'interrupted' | 'not_found' | 'failed';

  constructor(reason: CommandError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
