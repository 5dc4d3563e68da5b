import type { DeliveryTarget } from '@parley/sdk';
import type { RunningBot } from '../bots/running-bot.ts';

/** An indicator is renewed after this part of the time that the platform shows it. */
const renewedAfter = 0.9;
/** Least time between two calls, milliseconds. */
const leastPauseMs = 1000;
/** After so many calls the answer may never come, so that the indicator is not renewed. */
const maximumCalls = 20;

/** Shows in a chat that an answer is being generated, until its first text is shown or it ends. A courtesy: nothing waits for it. */
export class Typing {
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param maySend whether calls to the platform make sense now
   */
  begin({ adapter, capabilities }: RunningBot, target: DeliveryTarget, maySend: () => boolean): void {
    const { typing_ms } = capabilities;
    const show = adapter.showTyping?.bind(adapter);
    if (typing_ms === undefined || show === undefined) return;
    this.end();
    let calls = 0;
    let isUnderWay = false;
    const call = async () => {
      if (isUnderWay || !maySend()) return;
      calls += 1;
      if (calls > maximumCalls) return this.end();
      isUnderWay = true;
      try {
        await show(target);
      } catch {
        this.end();
      }
      isUnderWay = false;
    };
    this.#timer = setInterval(() => void call(), Math.max(typing_ms * renewedAfter, leastPauseMs)).unref();
    void call();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
