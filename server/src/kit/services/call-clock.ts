import type { RunnerDelta } from '@parley/sdk';
import { now } from '../../lib/clock.ts';

/** Takes the time of a call to a service elsewhere, for the record of the models that it used. */
export class CallClock {
  readonly #startedAt = now();
  readonly #start = performance.now();
  #firstPiece: number | null = null;

  /** Call on each chunk of the answer. */
  piece(): void {
    this.#firstPiece ??= this.#elapsed();
  }

  /** The record of a model that the service used. @param name in the service */
  modelCall(name: string, tokens: { input: number; output: number }): RunnerDelta {
    return {
      type: 'model_call',
      call: {
        model_uuid: null,
        model_name: name.slice(0, 255),
        started_at: this.#startedAt,
        milliseconds: this.#elapsed(),
        first_piece_milliseconds: this.#firstPiece,
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        reason: null,
        error: null,
      },
    };
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#start);
  }
}
