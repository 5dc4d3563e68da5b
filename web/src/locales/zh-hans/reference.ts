import type * as english from '../en/reference.ts';
import type { Texts } from '../texts.ts';

export const reference: Texts<typeof english.reference> = {
  introduction: '程序可以通过 HTTP API 完成此控制台的所有操作。',
  browse: '打开交互式文档',
  address: '基础 URL',
  addressText: '所有路径都相对于它。',
  key: 'API 密钥',
  keyText: '适用于程序。密钥仅拥有所授予的权限，请在“API 密钥”中创建。',
  token: '会话令牌',
  tokenText: '用于访问自己账户的端点，例如登录会话。登录后获得。',
  file: 'OpenAPI 描述',
  fileText: '供客户端生成器和 API 工具使用。',
};
