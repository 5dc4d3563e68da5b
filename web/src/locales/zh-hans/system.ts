import type * as english from '../en/system.ts';
import type { Texts } from '../texts.ts';

export const systemPage: Texts<typeof english.systemPage> = {
  overview: '概况',
  tasks: '任务',
  logs: '日志',
  words: '敏感词',
  health: '进程',
  alive: '运行中',
  readiness: '请求',
  ready: '正常处理',
  notServing: '无响应',
  address: '地址',
  activity: '活动',
  activityText: '根据消息记录统计。',
  activeSessions: '最近 30 分钟内的用户和群组',
  conversations: '进行中的对话',
  messages: '启动以来收到的消息',
  settings: '生效的设置',
  settingsText: '在环境变量或 parley.yaml 中设置，重启后生效。',
  version: 'API 版本',
  maxBots: '机器人数量上限',
  maxPipelines: '流水线数量上限',
  maxExtensions: '扩展数量上限',
  unlimited: '不限',
  passwords: '可在控制台修改密码',
};

export const tasks: Texts<typeof english.tasks> = {
  task: '任务',
  number: '任务 {{id}}',
  empty: '没有任务',
  emptyText: '耗时的工作会显示在这里，例如读取文档、连接机器人。已结束的任务保留七天。',
  began: '开始',
  ended: '结束',
  running: '进行中',
  runningOf: '进行中：{{done}} / {{total}}',
  finished: '已完成',
  failed: '失败',
  cancelled: '已取消',
  log: '日志',
  result: '结果',
};

export const logs: Texts<typeof english.logs> = {
  level: '级别',
  levels: {
    DEBUG: '全部',
    INFO: '信息及以上',
    WARNING: '警告及以上',
    ERROR: '错误及以上',
    CRITICAL: '仅严重',
  },
  words: {
    DEBUG: '调试',
    INFO: '信息',
    WARNING: '警告',
    ERROR: '错误',
    CRITICAL: '严重',
  },
  follow: '实时更新',
  empty: '没有日志',
  emptyText: '没有符合条件的日志。',
  note: '最新的在最前，时间为 UTC。服务器在此保留最近 200 行，其余的在其输出中。',
};

export const words: Texts<typeof english.words> = {
  text: '启用了检查的流水线不会回答含有这些词的消息，并会在回答中遮盖它们。',
  list: '词语',
  listHelp: '每行一个。含有 \\ . + * ? ( ) [ ] { } ^ $ | 的行是正则表达式。区分大小写。',
  count_one: '共 {{count}} 个。',
  count_other: '共 {{count}} 个。',
  mask: '遮盖字符',
  maskHelp: '代替词中的每个字符。',
  maskWord: '代替整个词',
  maskWordHelp: '填写后代替整个词。',
};
