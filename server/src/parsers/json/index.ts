import type { ModuleParser } from '@parley/sdk';

export const json: ModuleParser = {
  plugin_id: 'parley/json',
  name: { en_US: 'JSON and YAML', zh_Hans: 'JSON 与 YAML', ja_JP: 'JSONとYAML' },
  description: {
    en_US: 'JSON, JSON lines and YAML: each record as lines of keys and values.',
    zh_Hans: 'JSON、JSON Lines 和 YAML：每条记录按键和值逐行读取。',
    ja_JP: 'JSON、JSON Lines、YAMLのレコードを、キーと値の行として読み取ります。',
  },
  media_types: [
    'application/json',
    'application/x-ndjson',
    'application/jsonl',
    'application/geo+json',
    'application/ld+json',
    'application/yaml',
    'application/x-yaml',
    'text/yaml',
  ],
  extensions: ['json', 'jsonl', 'ndjson', 'geojson', 'jsonld', 'webmanifest', 'yaml', 'yml'],
  module: new URL('./parse.ts', import.meta.url).href,
};
