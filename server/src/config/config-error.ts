/** The configuration cannot be used. `lines` holds one sentence for each fault, fit to be printed as it is. */
export class ConfigError extends Error {
  readonly lines: string[];

  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}
