import { ParleyError, type Platform } from '@parley/sdk';
import { formFields } from '../forms/form-fields.ts';
import { monogram } from '../icons/monogram.ts';
import type { Adapter } from './adapter.ts';

/** The available platforms. */
export class AdapterCatalog {
  readonly #platforms: ReadonlyMap<string, Platform>;

  constructor(platforms: readonly Platform[]) {
    const offered = platforms.filter(({ internal }) => internal !== true);
    this.#platforms = new Map(offered.map((platform) => [platform.name, platform]));
  }

  /** Without the web chat, of which every installation has a bot. */
  list(): Adapter[] {
    return [...this.#platforms.values()].filter((platform) => !platform.capabilities.sockets).map(toAdapter);
  }

  /** @throws ParleyError `not_found` */
  get(name: string): Adapter {
    return toAdapter(this.#platform(name));
  }

  /** @returns a picture as SVG @throws ParleyError `not_found` */
  icon(name: string): string {
    return monogram(this.#platform(name).label.en_US);
  }

  #platform(name: string): Platform {
    const platform = this.#platforms.get(name);
    if (platform === undefined) throw new ParleyError('not_found', 'adapter not found');
    return platform;
  }
}

function toAdapter(platform: Platform): Adapter {
  const { name, label, description, categories, help_links } = platform;
  return {
    name,
    label,
    description,
    icon: `${name}.svg`,
    spec: {
      categories: [...categories],
      help_links: { ...help_links },
      config: formFields(platform.config),
      testable: platform.test !== undefined,
    },
  };
}
