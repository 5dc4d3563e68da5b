import { problemError } from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import type { Registry } from '../../lib/registry.ts';
import { formFields } from '../forms/form-fields.ts';
import { iconOf } from '../icons/icon-of.ts';
import type { Adapter } from './adapter.ts';

/** The available platforms. */
export class AdapterCatalog {
  readonly #platforms: Registry<InternalPlatform>;

  constructor(platforms: Registry<InternalPlatform>) {
    this.#platforms = platforms;
  }

  /** Without the web chat, of which every installation has a bot. */
  list(): Adapter[] {
    const offered = this.#platforms.list().filter(({ internal }) => internal !== true);
    return offered.filter((platform) => platform.sockets !== true).map(toAdapter);
  }

  /** @throws ParleyError `not_found` */
  get(name: string): Adapter {
    return toAdapter(this.#platform(name));
  }

  /** @returns a picture as SVG @throws ParleyError `not_found` */
  async icon(name: string): Promise<string> {
    return iconOf(this.#platform(name));
  }

  #platform(name: string): InternalPlatform {
    const platform = this.#platforms.get(name);
    if (platform === undefined || platform.internal === true) throw problemError('platform_not_found');
    return platform;
  }
}

function toAdapter(platform: InternalPlatform): Adapter {
  const { name, label, description, categories, help_links, setup_steps = [], login } = platform;
  return {
    name,
    label,
    description,
    icon: `${name}.svg`,
    spec: {
      categories: [...categories],
      help_links: { ...help_links },
      config: formFields(platform.config),
      setup_steps: [...setup_steps],
      ...(login === undefined ? {} : { login }),
      testable: platform.testable === true,
    },
  };
}
