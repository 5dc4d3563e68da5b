import { defineManifest } from '@parley/sdk/plugin';
import { unitNames } from './units.ts';

export default defineManifest({
  id: 'example/unit-converter',
  version: '1.0.0',
  sdk: '^0.1.0',
  label: { en_US: 'Unit converter', zh_Hans: '单位换算', ja_JP: '単位変換' },
  description: {
    en_US: 'Converts lengths, masses and temperatures: as a tool for models and as the command !convert.',
    zh_Hans: '换算长度、质量和温度：既是模型的工具，也是命令 !convert。',
    ja_JP: '長さ・質量・温度を変換します。モデルのツールとしても、コマンド !convert としても使えます。',
  },
  main: 'main.ts',
  settings: {
    type: 'object',
    properties: {
      digits: {
        type: 'integer',
        default: 6,
        minimum: 1,
        maximum: 15,
        'x-label': { en_US: 'Significant digits', zh_Hans: '有效数字', ja_JP: '有効桁数' },
      },
    },
  },
  contributes: {
    tools: [
      {
        name: 'convert_units',
        label: { en_US: 'Convert units', zh_Hans: '换算单位', ja_JP: '単位を変換' },
        description: 'Converts a number from one unit of length, mass or temperature to another.',
        parameters: {
          type: 'object',
          properties: {
            value: { type: 'number' },
            from: { type: 'string', enum: unitNames },
            to: { type: 'string', enum: unitNames },
          },
          required: ['value', 'from', 'to'],
          additionalProperties: false,
        },
        read_only: true,
      },
    ],
    commands: [
      {
        name: 'convert',
        usage: '<number> <from> <to>',
        description: 'Converts a number from one unit to another, such as 5 km mi.',
      },
    ],
  },
});
