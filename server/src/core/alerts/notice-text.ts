import type { Alert, AlertFacts } from './alert.ts';
import type { AlertKind } from './alert-rule.ts';
import type { NoticeLanguage } from './alert-target.ts';

/** What a notice says: a line for the subject, and a text of a few lines. */
export interface NoticeText {
  subject: string;
  text: string;
}

export type NoticeEvent = 'started' | 'ended' | 'test';

interface Words {
  subjects: Record<'started' | 'ended', (name: string) => string>;
  kinds: Record<AlertKind, (facts: AlertFacts) => string>;
  endings: Record<NonNullable<Alert['end_reason']>, string>;
  times: Record<'started' | 'ended', (time: string) => string>;
  more: (count: number) => string;
  test: NoticeText;
}

const words: Record<NoticeLanguage, Words> = {
  en: {
    subjects: { started: (name) => `Alert: ${name}`, ended: (name) => `Resolved: ${name}` },
    kinds: {
      bot_offline: ({ count }) => `Bots that are not connected: ${count}`,
      error_rate: ({ count, total, percent }) => `Failed messages: ${percent} % (${count} of ${total})`,
      waiting_messages: ({ count }) => `Messages waiting for an answer: ${count}`,
      uncertain_messages: ({ count }) => `Messages that may not have arrived: ${count}`,
      cost: ({ cost }) => `Cost of model calls: ${amountText(cost)}`,
      failed_documents: ({ count }) => `Documents that could not be processed: ${count}`,
    },
    endings: {
      over: 'The condition no longer holds.',
      disabled: 'The rule was disabled.',
      deleted: 'The rule was deleted.',
      missing: 'What the rule refers to was deleted.',
    },
    times: { started: (time) => `Since ${time}`, ended: (time) => `Ended ${time}` },
    more: (count) => `and ${count} more`,
    test: { subject: 'Test notice', text: 'This is a test notice of Parley. Notices of alerts will arrive here.' },
  },
  'zh-Hans': {
    subjects: { started: (name) => `告警：${name}`, ended: (name) => `已恢复：${name}` },
    kinds: {
      bot_offline: ({ count }) => `未连接的机器人：${count} 个`,
      error_rate: ({ count, total, percent }) => `失败的消息：${percent}%（${total} 条中的 ${count} 条）`,
      waiting_messages: ({ count }) => `等待回复的消息：${count} 条`,
      uncertain_messages: ({ count }) => `可能未送达的消息：${count} 条`,
      cost: ({ cost }) => `模型调用费用：${amountText(cost)}`,
      failed_documents: ({ count }) => `处理失败的文档：${count} 个`,
    },
    endings: {
      over: '告警条件已不再满足。',
      disabled: '规则已停用。',
      deleted: '规则已删除。',
      missing: '规则引用的对象已删除。',
    },
    times: { started: (time) => `开始时间：${time}`, ended: (time) => `结束时间：${time}` },
    more: (count) => `另有 ${count} 个`,
    test: { subject: '测试通知', text: '这是 Parley 的测试通知。告警通知将发送到这里。' },
  },
  ja: {
    subjects: { started: (name) => `アラート：${name}`, ended: (name) => `復旧：${name}` },
    kinds: {
      bot_offline: ({ count }) => `未接続のボット：${count} 件`,
      error_rate: ({ count, total, percent }) => `失敗したメッセージ：${percent}%（${total} 件中 ${count} 件）`,
      waiting_messages: ({ count }) => `回答待ちのメッセージ：${count} 件`,
      uncertain_messages: ({ count }) => `届いていない可能性のあるメッセージ：${count} 件`,
      cost: ({ cost }) => `モデル呼び出しの費用：${amountText(cost)}`,
      failed_documents: ({ count }) => `処理に失敗したドキュメント：${count} 件`,
    },
    endings: {
      over: '条件に該当しなくなりました。',
      disabled: 'ルールが無効になりました。',
      deleted: 'ルールが削除されました。',
      missing: 'ルールの参照先が削除されました。',
    },
    times: { started: (time) => `発生：${time}`, ended: (time) => `終了：${time}` },
    more: (count) => `ほか ${count} 件`,
    test: {
      subject: 'テスト通知',
      text: 'Parley からのテスト通知です。アラートの通知はここに届きます。',
    },
  },
};

type NoticedAlert = Pick<Alert, 'rule_name' | 'kind' | 'started_at' | 'ended_at' | 'end_reason' | 'facts'>;

/** The text of a notice of an alert. */
export function noticeText(event: 'started' | 'ended', alert: NoticedAlert, language: NoticeLanguage): NoticeText {
  const { subjects, kinds, endings, times, more } = words[language];
  const { rule_name, kind, facts, started_at, ended_at, end_reason } = alert;
  const { names = [], count = 0 } = facts;
  const lines = [subjects[event](rule_name)];
  if (event === 'ended') lines.push(endings[end_reason ?? 'over']);
  if (event === 'started') {
    lines.push(kinds[kind](facts), ...names.map((name) => `- ${name}`));
    if (names.length > 0 && count > names.length) lines.push(`- ${more(count - names.length)}`);
  }
  lines.push(times.started(timeText(started_at)));
  if (event === 'ended' && ended_at !== null) lines.push(times.ended(timeText(ended_at)));
  return { subject: `[Parley] ${subjects[event](rule_name)}`, text: lines.join('\n') };
}

export function testText(language: NoticeLanguage): NoticeText {
  const { subject, text } = words[language].test;
  return { subject: `[Parley] ${subject}`, text };
}

/** ISO 8601 in words: servers and recipients are in different zones. */
function timeText(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}

function amountText(cost = 0): string {
  return String(Math.round(cost * 10_000) / 10_000);
}
