import { invalidFields } from '@parley/sdk';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { ExpectedTags, Tagged } from '../core/records/record-tag.ts';
import { answers } from './envelope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a PUT: it takes `If-Match`, and its handler passes `request.expectedTags` on. */
    conditional?: true;
  }
  interface FastifyRequest {
    /** What `If-Match` demands of the record that a conditional route changes. */
    expectedTags: ExpectedTags;
  }
}

const header = 'if-match';

const IfMatchHeader = Type.Object({
  [header]: Type.Optional(
    Type.String({
      description:
        'An `ETag` that the record was read with, or several: if it was changed since, nothing is changed and the answer is ' +
        '412 `record_changed`. `*` stands for any. Without this header the last write wins.',
    }),
  ),
});

const etagHeader = {
  ETag: {
    type: 'string',
    description: 'Changes with what can be edited of the record; for `If-Match` of a PUT.',
  },
};

/** As {@link answers}, for a record that comes with its tag. */
export function taggedAnswers<Data extends TSchema>(data: Data, ...errors: number[]) {
  const described = answers(data, ...errors);
  return { ...described, 200: Type.Object(described[200].properties, { headers: etagHeader }) };
}

/** Sends the tag of a record with the response that shows it. */
export function withTag<Shown>(reply: FastifyReply, { record, tag }: Tagged<Shown>): Shown {
  reply.header('etag', `"${tag()}"`);
  return record;
}

/** Reads `If-Match` of conditional routes. */
export function readExpectedTags(server: FastifyInstance): void {
  server.decorateRequest('expectedTags', null);
  server.addHook('onRoute', (route) => {
    if (route.config?.conditional !== true) return;
    const response = { 412: Type.Ref('ErrorResponse'), ...(route.schema?.response as object | undefined) };
    route.schema = { ...route.schema, headers: IfMatchHeader, response };
  });
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.conditional === true) request.expectedTags = expectedTags(request.headers[header]);
    done();
  });
}

const entityTag = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** What proxies add to the tag of an answer that they compress: nginx makes it weak, others name the encoding. */
const encoding = /-(gzip|br|zstd|deflate)$/;

/** @throws ParleyError `invalid_request` */
function expectedTags(text: string | undefined): ExpectedTags {
  if (text === undefined || text.trim() === '*') return null;
  const elements = text.replaceAll(entityTag, '""').split(',');
  const named = elements.map((element) => element.trim()).filter((element) => element !== '');
  if (named.length === 0 || named.some((element) => element !== '""')) {
    throw invalidFields([{ path: header, message: 'must be * or a list of tags in double quotes, as ETag has them' }]);
  }
  // A tag stands for the content of the record, not for the bytes of an answer.
  return [...text.matchAll(entityTag)].map(([, tag = '']) => tag.replace(encoding, ''));
}
