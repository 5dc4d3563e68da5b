import type { ModuleParser } from '@parley/sdk';

export const xlsx: ModuleParser = {
  plugin_id: 'parley/xlsx',
  name: { en_US: 'Excel workbooks', zh_Hans: 'Excel 工作簿', ja_JP: 'Excelブック' },
  description: {
    en_US: 'XLSX: each sheet as tables, with numbers as they are shown and the last results of formulas.',
    zh_Hans: 'XLSX：将每个工作表读取为表格，数字按显示格式，公式取上次的结果。',
    ja_JP: 'XLSXの各シートを表として読み取ります。数値は表示どおり、数式は前回の計算結果になります。',
  },
  media_types: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
    'application/vnd.ms-excel.sheet.macroenabled.12',
  ],
  extensions: ['xlsx', 'xltx', 'xlsm'],
  module: new URL('./parse.ts', import.meta.url).href,
};
