import { defineManifest } from '@parley/sdk/plugin';

export default defineManifest({
  id: 'example/calendar-parser',
  version: '1.0.0',
  sdk: '^0.1.0',
  label: { en_US: 'Calendar parser', zh_Hans: '日历解析器', ja_JP: 'カレンダーパーサー' },
  description: {
    en_US: 'Reads calendar files (.ics) for knowledge bases: the events with their time, place and description.',
    zh_Hans: '为知识库读取日历文件（.ics）：活动及其时间、地点和说明。',
    ja_JP: 'ナレッジベースのためにカレンダーファイル（.ics）を読み取ります。予定とその日時・場所・説明です。',
  },
  main: 'main.ts',
  contributes: {
    parsers: [
      {
        label: { en_US: 'Calendars', zh_Hans: '日历', ja_JP: 'カレンダー' },
        description: {
          en_US: 'Reads iCalendar files.',
          zh_Hans: '读取 iCalendar 文件。',
          ja_JP: 'iCalendar ファイルを読み取ります。',
        },
        media_types: ['text/calendar'],
        extensions: ['ics'],
      },
    ],
  },
});
