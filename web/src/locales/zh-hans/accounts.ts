import type * as english from '../en/accounts.ts';
import type { Texts } from '../texts.ts';

export const accounts: Texts<typeof english.accounts> = {
  title: '账户管理',
  introduction: '拥有账户的人可以管理这里的一切。如需添加账户，请在服务器上运行 ./parley user create。',
  you: '当前账户',
  lastSignIn: '最近登录',
  notLately: '近 30 天未登录',
  apiKeys: 'API 密钥',
  delete: '删除账户',
  deleteTitle: '删除此账户？',
  deleteText: '其会话会立即结束，且无法撤销。',
  deleteOwnText: '这是您自己的账户。您会立即退出登录，且无法撤销。',
  keys_one: '其 API 密钥',
  keys_other: '其 {{count}} 个 API 密钥',
  keysRevoke: '吊销',
  keysKeep: '保留为整个系统的密钥',
  keysHand: '转交给 {{name}}',
};
