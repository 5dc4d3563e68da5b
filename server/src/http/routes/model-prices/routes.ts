import { answers, done, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ModelPriceAnswer,
  ModelPriceList,
  ModelPriceParams,
  readOnlyPriceFields as readOnly,
  SetModelPrice,
} from './schema.ts';

const url = '/api/v1/provider/model-prices';

export async function modelPriceRoutes(server: TypedServer, { modelPrices }: Pick<RouteServices, 'modelPrices'>) {
  server.get(
    url,
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' }, fromMemory: true },
      schema: { summary: 'List model prices', response: answers(ModelPriceList, 401, 403) },
    },
    async () => success({ model_prices: await modelPrices.list() }),
  );

  server.put(
    `${url}/:model_name`,
    {
      config: {
        access: { credential: 'either', scope: 'write', role: 'admin' },
        audit: 'model-price.update',
        readOnly,
      },
      schema: {
        summary: 'Set the price of a model',
        description: 'Later calls are recorded with their cost, in the currency of the operator.',
        params: ModelPriceParams,
        body: SetModelPrice,
        response: answers(ModelPriceAnswer, 400, 401, 403, 409),
      },
    },
    async ({ params, body }) => success({ model_price: await modelPrices.set(params.model_name, body) }),
  );

  server.delete(
    `${url}/:model_name`,
    {
      config: { access: { credential: 'either', scope: 'write', role: 'admin' }, audit: 'model-price.delete' },
      schema: {
        summary: 'Delete the price of a model',
        params: ModelPriceParams,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async ({ params }) => done(modelPrices.delete(params.model_name)),
  );
}
