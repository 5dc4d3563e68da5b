import { api } from '../../lib/api.ts';

/** Of one request. */
const mostMessages = 100;
/** Answers that are shown at the same time are asked about together. */
let waiting: Map<string, PromiseWithResolvers<1 | 2 | null>> | null = null;

/** What the signed-in account said of an answer: 1 for a like, 2 for a dislike, null for nothing. */
export function ownFeedback(messageUuid: string): Promise<1 | 2 | null> {
  if (waiting === null || waiting.size >= mostMessages) {
    const batch = new Map<string, PromiseWithResolvers<1 | 2 | null>>();
    waiting = batch;
    setTimeout(() => {
      if (waiting === batch) waiting = null;
      void load(batch);
    }, 0);
  }
  const known = waiting.get(messageUuid) ?? Promise.withResolvers<1 | 2 | null>();
  waiting.set(messageUuid, known);
  return known.promise;
}

async function load(batch: ReadonlyMap<string, PromiseWithResolvers<1 | 2 | null>>): Promise<void> {
  try {
    const query = { message_uuids: [...batch.keys()].join(',') };
    const { feedback } = await api.get('/api/v1/messages/feedback', { params: { query } });
    const types = new Map(feedback.map(({ message_uuid, feedback_type }) => [message_uuid, feedback_type]));
    for (const [uuid, { resolve }] of batch) resolve(types.get(uuid) ?? null);
  } catch (error) {
    for (const { reject } of batch.values()) reject(error);
  }
}
