import { DeliveryError, type DeliveryTarget } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import type { DingTalkApi } from './dingtalk-api.ts';
import { DingTalkFailure, isRefused } from './failure.ts';

/** The variable of the template that the text is in. */
const contentKey = 'content';

/** State of an AI card, its variable `flowStatus`: text is coming; complete. */
const [writing, complete] = ['2', '3'];

const instances = '/v1.0/card/instances';

export interface CardsOptions {
  api: DingTalkApi;
  robotCode: string;
  templateId: string;
  autoLayout: boolean;
}

/**
 * AI cards, whose text can be changed while it is generated.
 * @see https://open.dingtalk.com/document/isvapp/create-and-deliver-cards
 * @see https://open.dingtalk.com/document/orgapp/api-streamingupdate
 */
export class Cards {
  readonly #options: CardsOptions;

  constructor(options: CardsOptions) {
    this.#options = options;
  }

  /**
   * Shows a card with its first text.
   * @param outTrackId a card with the same one is not shown again, and keeps its text
   */
  async create({ session_type, session_id }: DeliveryTarget, outTrackId: string, text: string): Promise<void> {
    const { api, robotCode, templateId, autoLayout } = this.#options;
    const cardParamMap = { [contentKey]: text, flowStatus: writing, config: JSON.stringify({ autoLayout }) };
    const card = { cardTemplateId: templateId, outTrackId, cardData: { cardParamMap }, userIdType: 1 };
    const json =
      session_type === 'group'
        ? {
            ...card,
            openSpaceId: `dtv1.card//IM_GROUP.${session_id}`,
            imGroupOpenSpaceModel: { supportForward: true },
            imGroupOpenDeliverModel: { robotCode },
          }
        : {
            ...card,
            openSpaceId: `dtv1.card//IM_ROBOT.${session_id}`,
            imRobotOpenSpaceModel: { supportForward: true },
            imRobotOpenDeliverModel: { spaceType: 'IM_ROBOT', robotCode },
          };
    const { result } = await api.call({ path: `${instances}/createAndDeliver`, json, isRepeatable: true });
    const { deliverResults } = objectOf(result);
    if (deliverResults === undefined) throw new DingTalkFailure('failed', 'The response says nothing of the card');
    for (const { success, errorMsg } of listOf(deliverResults).map(objectOf)) {
      if (success !== false) continue;
      const message = `DingTalk did not deliver the card: ${textOf(errorMsg).slice(0, 200)}`;
      throw new DeliveryError('refused', 'unknown_target', message);
    }
  }

  /** Shows another text. */
  async update(outTrackId: string, text: string): Promise<void> {
    await this.#write(outTrackId, text, false);
  }

  /** Shows the whole text and ends the card, also one that the platform has ended. */
  async complete(outTrackId: string, text: string): Promise<void> {
    try {
      await this.#write(outTrackId, text, true);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await this.#set(outTrackId, { [contentKey]: text, flowStatus: complete });
    }
  }

  /** Ends a card; its text stays as it is. */
  async end(outTrackId: string): Promise<void> {
    await this.#set(outTrackId, { flowStatus: complete });
  }

  async #write(outTrackId: string, content: string, isFinalize: boolean): Promise<void> {
    const change = { key: contentKey, content, isFull: true, isFinalize, isError: false };
    const json = { outTrackId, guid: crypto.randomUUID(), ...change };
    await this.#options.api.call({ method: 'PUT', path: '/v1.0/card/streaming', json, isRepeatable: true });
  }

  async #set(outTrackId: string, cardParamMap: Record<string, string>): Promise<void> {
    const json = { outTrackId, cardData: { cardParamMap }, cardUpdateOptions: { updateCardDataByKey: true } };
    await this.#options.api.call({ method: 'PUT', path: instances, json, isRepeatable: true });
  }
}
