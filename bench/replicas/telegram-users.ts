import type { Stage } from '../faults/lib/stage.ts';
import type { GroupRecord, UserGroup } from './user-group.ts';

/** Users of Telegram, which keeps what they wrote until the service has confirmed it. */
export class TelegramUsers implements UserGroup {
  readonly name: string;
  readonly #telegram: Stage['telegram'];
  #writing = 0;

  constructor(name: string, telegram: Stage['telegram']) {
    this.name = name;
    this.#telegram = telegram;
  }

  ask(chat: number, text: string): void {
    this.#writing += 1;
    void this.#telegram.say(this.name, chat, text).finally(() => {
      this.#writing -= 1;
    });
  }

  isIdle(): boolean {
    return this.#writing === 0;
  }

  waitsFor(): string[] {
    return this.isIdle() ? [] : [`${this.#writing} messages that Telegram has not taken`];
  }

  async record(): Promise<GroupRecord> {
    const { questions, sends, visible } = await this.#telegram.record();
    const isOwn = ({ bot }: { bot: string }) => bot === this.name;
    return { questions: questions.filter(isOwn), sends: sends.filter(isOwn), visible: visible.filter(isOwn) };
  }

  faults(): Record<string, number> {
    return {};
  }

  async close(): Promise<void> {}
}
