import type * as english from '../en/reference.ts';
import type { Texts } from '../texts.ts';

export const reference: Texts<typeof english.reference> = {
  introduction: '此控制台能做的一切，程序都可以通过 HTTP 接口完成。',
  browse: '打开交互式文档',
  address: '基础地址',
  addressText: '所有路径都以它开头。',
  key: '使用 API 密钥',
  keyText: '适用于程序。密钥的权限由其范围决定，请在“API 密钥”中创建。',
  token: '以用户身份',
  tokenText: '有些内容属于账户，例如会话，需要登录令牌。',
  file: 'OpenAPI 描述',
  fileText: '供客户端生成器和测试工具使用。',
};
