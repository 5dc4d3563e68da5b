import { Address, type ModelRequester, problemError } from '@parley/sdk';
import Type from 'typebox';
import type { Registry } from '../../lib/registry.ts';
import { formFields } from '../forms/form-fields.ts';
import { iconOf } from '../icons/icon-of.ts';
import type { Requester } from './requester.ts';

/** The kinds of model providers that are installed. */
export class RequesterService {
  readonly #requesters: Registry<ModelRequester>;

  constructor(requesters: Registry<ModelRequester>) {
    this.#requesters = requesters;
  }

  /** @param type a kind of model that they support; all when empty, none for an unknown kind */
  list(type = ''): Requester[] {
    return this.#requesters
      .list()
      .filter(({ support_type }) => type === '' || support_type.some((kind) => kind === type))
      .map(toRecord);
  }

  get(name: string): Requester {
    return toRecord(this.#byName(name));
  }

  /** @returns SVG */
  async icon(name: string): Promise<string> {
    return iconOf(this.#byName(name));
  }

  #byName(name: string): ModelRequester {
    const requester = this.#requesters.get(name);
    if (requester === undefined) throw problemError('requester_not_found');
    return requester;
  }
}

function toRecord(requester: ModelRequester): Requester {
  const { name, label, description, support_type, category, default_base_url, unavailable, listModels } = requester;
  const address = Address({
    default: default_base_url,
    'x-label': { en_US: 'Base URL', zh_Hans: '基础 URL', ja_JP: 'ベースURL' },
    'x-help': { en_US: 'URL of the API.', zh_Hans: 'API 的 URL。', ja_JP: 'APIのURLです。' },
  });
  return {
    name,
    label,
    description,
    icon: `${name}.svg`,
    spec: {
      // Without an address there is no default.
      config: default_base_url === '' ? [] : formFields(Type.Object({ base_url: address })),
      support_type: [...support_type],
      provider_category: category,
      lists_models: listModels !== undefined,
      ...(unavailable === undefined ? {} : { unavailable }),
    },
  };
}
