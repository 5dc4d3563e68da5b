import { answers, done, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ImportedModelPrices,
  ImportModelPrices,
  ModelPriceAnswer,
  ModelPriceList,
  ModelPriceParams,
  PriceCurrency,
  PriceSuggestions,
  readOnlyPriceFields as readOnly,
  SetModelPrice,
} from './schema.ts';

const url = '/api/v1/provider/model-prices';
const currencyUrl = '/api/v1/provider/price-currency';
/** Of a price list. */
const bodyLimit = 10 * 1024 * 1024;

type Services = Pick<RouteServices, 'modelPrices' | 'priceSuggester' | 'priceCurrency'>;

export async function modelPriceRoutes(server: TypedServer, { modelPrices, priceSuggester, priceCurrency }: Services) {
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

  server.get(
    `${url}/suggestions`,
    {
      config: { access: { credential: 'either', scope: 'read', role: 'admin' } },
      schema: {
        summary: 'Suggest prices of the installed models',
        description:
          'From a price list of the installation, for providers that are known by their address. Stores nothing.',
        response: answers(PriceSuggestions, 401, 403),
      },
    },
    async () => success(await priceSuggester.suggest()),
  );

  server.post(
    `${url}/import`,
    {
      config: { access: { credential: 'either', scope: 'write', role: 'admin' }, audit: 'model-price.import' },
      bodyLimit,
      schema: {
        summary: 'Set the prices of a price list, all or none',
        body: ImportModelPrices,
        response: answers(ImportedModelPrices, 400, 401, 403, 409),
      },
    },
    async ({ body }) => success(await modelPrices.import(body)),
  );

  server.get(
    currencyUrl,
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: { summary: 'The currency of prices and costs', response: taggedAnswers(PriceCurrency, 401, 403) },
    },
    async (_request, reply) => success(withTag(reply, await priceCurrency.tagged())),
  );

  server.put(
    currencyUrl,
    {
      config: {
        access: { credential: 'either', scope: 'write', role: 'admin' },
        audit: 'price-currency.update',
        conditional: true,
      },
      schema: {
        summary: 'Set the currency of prices and costs',
        description: 'Prices and recorded costs are not converted.',
        body: PriceCurrency,
        response: answers(PriceCurrency, 400, 401, 403),
      },
    },
    async ({ body, expectedTags }) => success(await priceCurrency.set(body, expectedTags)),
  );
}
