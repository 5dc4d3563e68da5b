import {
  type Collection,
  type ErrorDetail,
  invalidFields,
  type KnowledgeEngine,
  type KnowledgeEngineContext,
  ParleyError,
  type RetrievedPassage,
  type RetrieveRequest,
} from '@parley/sdk';
import { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { isRecord } from '../../kit/services/values.ts';
import { metadataCondition } from './conditions.ts';
import { passagesIn } from './records.ts';
import { CreationSettings, RetrievalSettings } from './settings.ts';

const serviceName = 'The retrieval service';
/** Longest answer, bytes. */
const longestAnswer = 4 * 1024 * 1024;
/** The service's error codes for a rejected key. */
const keyCodes = ['1001', '1002'];

/**
 * Queries an external retrieval service through Dify's protocol for external knowledge.
 * @see https://docs.dify.ai/en/use-dify/knowledge/external-knowledge-api
 */
export const httpRetrieval: KnowledgeEngine = {
  plugin_id: 'parley/http-retrieval',
  name: { en_US: 'Retrieval service', zh_Hans: '外部检索服务', ja_JP: '検索サービス' },
  description: {
    en_US: 'Finds passages with an external service that implements the Dify external knowledge API.',
    zh_Hans: '通过兼容 Dify 外部知识库 API 的服务检索段落。',
    ja_JP: 'Difyの外部ナレッジAPIに対応した外部のサービスで箇所を検索します。',
  },
  capabilities: [],
  creationSchema: CreationSettings,
  retrievalSchema: RetrievalSettings,

  async open(collection) {
    const faults = faultsOf(settingsOf(collection));
    if (faults.length > 0) throw invalidFields(faults);
  },

  // External data belongs to the service.
  async drop() {},

  retrieve,
};

async function retrieve(request: RetrieveRequest, context: KnowledgeEngineContext): Promise<RetrievedPassage[]> {
  const { query, filters, signal } = request;
  const { address, api_key, knowledge_id } = settingsOf(request.collection);
  const { top_k, score_threshold, timeout } = request.settings as RetrievalSettings;
  signal.throwIfAborted();
  const faults = faultsOf(settingsOf(request.collection));
  if (faults.length > 0) throw invalidFields(faults);
  if (query.trim() === '') return [];
  const metadata_condition = metadataCondition(filters);
  const client = new ServiceClient({
    name: serviceName,
    fetch: context.fetch,
    signal,
    silenceTimeoutMs: timeout * 1000,
    totalTimeoutMs: timeout * 1000,
    secrets: api_key === '' ? [] : [api_key],
  });
  const answer = await ask(client, endpointOf(address), {
    headers: api_key === '' ? {} : { authorization: `Bearer ${api_key}` },
    json: {
      knowledge_id,
      query: query.toWellFormed(),
      retrieval_setting: { top_k, score_threshold },
      ...(metadata_condition === null ? {} : { metadata_condition }),
    },
  });
  signal.throwIfAborted();
  return passagesIn(recordsIn(answer, client), top_k, score_threshold);
}

async function ask(
  client: ServiceClient,
  endpoint: string,
  request: Parameters<ServiceClient['request']>[1],
): Promise<unknown> {
  try {
    const answer = await client.request(endpoint, request);
    return await answer.json(longestAnswer);
  } catch (error) {
    if (error instanceof ServiceRefusal && keyCodes.includes(error.code ?? '')) throw refusedKey();
    // A timeout of the whole call is reported as a slow service.
    if (error instanceof ParleyError && error.reason === 'time_limit') {
      throw new ParleyError('provider_timeout', `${serviceName} did not answer in time.`);
    }
    throw error;
  }
}

function recordsIn(answer: unknown, client: ServiceClient): unknown[] {
  const { records, error_code, error_msg } = isRecord(answer) ? answer : {};
  if (Array.isArray(records)) return records;
  if (error_code === undefined) throw client.malformed('it contains no list of records.');
  if (keyCodes.includes(String(error_code))) throw refusedKey();
  throw client.failure(null, typeof error_msg === 'string' ? error_msg : '', String(error_code));
}

function refusedKey(): ParleyError {
  return new ParleyError('provider_unauthorized', `${serviceName} does not accept the key.`);
}

function endpointOf(address: string): string {
  const url = new URL(address.trim());
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/retrieval') ? path : `${path}/retrieval`;
  return url.href;
}

function faultsOf({ address, knowledge_id }: CreationSettings): ErrorDetail[] {
  const url = URL.parse(address.trim());
  const isReachable = url !== null && ['http:', 'https:'].includes(url.protocol);
  const hasCredentials = url !== null && (url.username !== '' || url.password !== '');
  return [
    ...(isReachable ? [] : [{ path: 'address', message: 'must be an http or https address', rule: 'address' }]),
    ...(hasCredentials
      ? [{ path: 'address', message: 'must not hold a user name or password', rule: 'addressAccount' }]
      : []),
    ...(knowledge_id.trim() === '' ? [{ path: 'knowledge_id', message: 'is required', rule: 'required' }] : []),
  ];
}

function settingsOf({ settings }: Collection): CreationSettings {
  return settings as CreationSettings;
}
