import { type ParleyError, problemError } from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';
import type { KnowledgeBaseStore } from './knowledge-base-store.ts';

/** The base that a request names. @throws ParleyError `not_found` */
export async function existingBase(
  bases: Pick<KnowledgeBaseStore, 'byUuid'>,
  uuid: string,
): Promise<StoredKnowledgeBase> {
  const base = isUuid(uuid) ? await bases.byUuid(uuid.toLowerCase()) : null;
  if (base === null) throw noBase();
  return base;
}

export function noBase(): ParleyError {
  return problemError('knowledge_base_not_found');
}
