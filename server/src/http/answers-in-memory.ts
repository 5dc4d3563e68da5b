import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ReadVersions } from '../core/records/record-versions.ts';
import { versionsOf } from './request-versions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Of a GET whose answer depends on nothing but its address and the records that `RecordVersions.records` counts: not
     * on the caller, its headers, or the time. It is read and serialised once, and sent from memory until a record
     * changes. A function returns a text that names what else the answer depends on.
     */
    fromMemory?: true | (() => string);
  }
  interface FastifyRequest {
    /** The place of an answer that is not in memory yet. */
    answerPlace: AnswerPlace | null;
  }
}

interface AnswerPlace {
  version: number;
  /** What `fromMemory` returned before the answer was made. */
  state: string;
}

interface Answer {
  state: string;
  body: Buffer;
  /** Of a single record: its `ETag`. */
  etag: string | undefined;
}

/** Of all answers with their addresses, bytes. */
const maximumSize = 8 * 1024 * 1024;
/** Of one answer, bytes: long lists are read rarely, and would take the place of many. */
const maximumAnswerSize = 128 * 1024;
const contentType = 'application/json; charset=utf-8';

/**
 * Answers routes with `fromMemory`, once their caller is known to have access. Register after what checks that.
 * @param readVersions see {@link versionsOf}
 */
export function answerFromMemory(server: FastifyInstance, readVersions: ReadVersions): void {
  const answers = new LRUCache<string, Answer>({
    maxSize: maximumSize,
    maxEntrySize: maximumAnswerSize,
    sizeCalculation: ({ state, body }, address) => address.length + state.length + body.byteLength,
  });
  let version: number | null = null;
  server.decorateRequest('recordVersions', null);
  server.decorateRequest('answerPlace', null);

  server.addHook('onRequest', async (request, reply) => {
    const state = stateOf(request);
    if (state === null) return;
    const { records } = await versionsOf(request, readVersions);
    if (records !== version) {
      version = records;
      answers.clear();
    }
    const known = answers.get(request.url);
    if (known?.state !== state) {
      request.answerPlace = { version: records, state };
      return;
    }
    if (known.etag !== undefined) reply.header('etag', known.etag);
    return reply.header('content-type', contentType).send(known.body);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const place = request.answerPlace;
    // A request of another version may have come meanwhile, and the state may be another one by now.
    const isCurrent = place !== null && place.version === version && place.state === stateOf(request);
    if (isCurrent && reply.statusCode === 200 && typeof payload === 'string') {
      const etag = reply.getHeader('etag') as string | undefined;
      answers.set(request.url, { state: place.state, body: Buffer.from(payload), etag });
    }
    done(null, payload);
  });
}

/** Null for a request that is never answered from memory. */
function stateOf({ method, routeOptions }: FastifyRequest): string | null {
  const { fromMemory } = routeOptions.config;
  if (fromMemory === undefined || method !== 'GET') return null;
  return fromMemory === true ? '' : fromMemory();
}
