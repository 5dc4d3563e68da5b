import type { TFunction } from 'i18next';
import type { Requester } from './model-queries.ts';

/** The requester of OpenAI, which the records of all these endpoints have: other clients of the API know no other. */
const openAi = 'openai-chat-completions';

/** A choice beside the requesters: any server with the API of OpenAI. No record has this name. */
export const compatibleEndpoint = 'openai-compatible';

/** What users search it by. */
export const compatiblePrograms = [
  'openai',
  'custom',
  'compatible',
  'vllm',
  'llama.cpp',
  'litellm',
  'localai',
  'sglang',
];

/** The requesters with {@link compatibleEndpoint} before them, if theirs is installed. */
export function withCompatibleEndpoint(requesters: readonly Requester[], t: TFunction): Requester[] {
  const found = requesters.find(({ name }) => name === openAi);
  if (found === undefined) return [...requesters];
  const config = found.spec.config.map(({ default: _, ...field }) =>
    field.name === 'base_url' ? { ...field, description: { en_US: t('models.compatibleAddress') } } : field,
  );
  const endpoint: Requester = {
    ...found,
    name: compatibleEndpoint,
    label: { en_US: t('models.compatible') },
    description: { en_US: t('models.compatibleText') },
    spec: { ...found.spec, config },
  };
  return [endpoint, ...requesters];
}

/** The name of the requester that a record of a choice has. */
export function requesterOf(choice: string): string {
  return choice === compatibleEndpoint ? openAi : choice;
}

/** A name for the provider at an address: its host, or nothing for what is no address. */
export function hostOf(address: string): string {
  return URL.parse(address.trim())?.host ?? '';
}
