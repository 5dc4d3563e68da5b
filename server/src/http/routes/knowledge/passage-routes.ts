import { invalidFields } from '@parley/sdk';
import { answers, Nothing, success } from '../../envelope.ts';
import { whileConnected } from '../../while-connected.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { KnowledgeBaseFileParams } from './document-schema.ts';
import {
  PageImage,
  PageImageParams,
  PageTextPlaces,
  PageTextQuestion,
  PassageContext,
  PassageQuery,
} from './passage-schema.ts';
import { KnowledgeBaseParams } from './shared-schema.ts';

const access = { credential: 'either', scope: 'read', role: 'member' } as const;
const pages = '/api/v1/knowledge/bases/:knowledge_base_uuid/files/:file_uuid/pages';
/** Most pages that are searched for one passage. */
const mostPages = 20;

/** Passages in their documents, and on the pages of these. */
export async function passageRoutes(
  server: TypedServer,
  { passageContexts, documentPages }: Pick<RouteServices, 'passageContexts' | 'documentPages'>,
) {
  server.post(
    '/api/v1/knowledge/bases/:knowledge_base_uuid/passage-context',
    {
      config: { access, audit: false },
      schema: {
        summary: 'The text around a passage that was found earlier, and whether its document still contains it',
        params: KnowledgeBaseParams,
        body: PassageQuery,
        response: answers(PassageContext, 400, 401, 403, 404),
      },
    },
    async ({ params, body }) => success(await passageContexts.of(params.knowledge_base_uuid, body)),
  );

  server.post(
    `${pages}/locate`,
    {
      config: { access, audit: false },
      schema: {
        summary: 'Find a text on the pages of a document',
        description: 'The text is one that was found in the document; spaces, line ends and hyphens may differ.',
        params: KnowledgeBaseFileParams,
        body: PageTextQuestion,
        response: answers(PageTextPlaces, 400, 401, 403, 404, 422, 429, 503),
      },
    },
    async ({ params, body }, reply) => {
      if (body.to < body.from || body.to - body.from >= mostPages) {
        throw invalidFields([{ path: 'to', message: `has to be from \`from\` to ${mostPages - 1} pages behind it` }]);
      }
      const { knowledge_base_uuid, file_uuid } = params;
      return success({
        pages: await documentPages.locate(knowledge_base_uuid, file_uuid, body, whileConnected(reply)),
      });
    },
  );

  server.get(
    `${pages}/:page/image`,
    {
      config: { access },
      schema: {
        summary: 'An image of a page of a document',
        params: PageImageParams,
        response: { ...answers(Nothing, 400, 401, 403, 404, 422, 429, 503), 200: PageImage },
      },
    },
    async ({ params: { knowledge_base_uuid, file_uuid, page } }, reply) => {
      const image = await documentPages.image(knowledge_base_uuid, file_uuid, page, whileConnected(reply));
      return (
        reply
          .type('image/png')
          .header('content-disposition', 'inline')
          // The pages of a document never change. It may be deleted, so the browser asks again after a while.
          .header('cache-control', 'private, max-age=300')
          .send(Buffer.from(image) as never)
      );
    },
  );
}
