import type { FastifyRequest } from 'fastify';
import type { ReadVersions, RecordVersions } from '../core/records/record-versions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until they are needed. */
    recordVersions: RecordVersions | Promise<RecordVersions> | null;
  }
}

/** The versions of records as they were after a request came, read once for all that its answer needs. */
export function versionsOf(request: FastifyRequest, read: ReadVersions): ReturnType<ReadVersions> {
  request.recordVersions ??= read();
  return request.recordVersions;
}
