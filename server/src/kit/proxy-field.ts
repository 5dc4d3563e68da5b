import { ProxyAddress } from '@parley/sdk';

/**
 * The field `proxy` of a platform: the URL of the HTTP proxy of a bot.
 * @param name of the platform in English and Japanese
 * @param chineseName its name in Chinese, where that is another one
 */
export function proxyField(name: string, chineseName = ` ${name} `) {
  const description = `HTTP proxy for connections to ${name}, e.g. http://user:password@proxy.example:3128.`;
  return ProxyAddress({
    'x-advanced': true,
    description,
    'x-label': { en_US: 'HTTP proxy', zh_Hans: 'HTTP 代理', ja_JP: 'HTTPプロキシ' },
    'x-help': {
      en_US: `${description} If empty, PARLEY_PLATFORM_PROXY is used, if set.`,
      zh_Hans: `访问${chineseName}使用的 HTTP 代理，例如 http://user:password@proxy.example:3128。留空时使用 PARLEY_PLATFORM_PROXY（如已设置）。`,
      ja_JP: `${name}への接続に使うHTTPプロキシです（例：http://user:password@proxy.example:3128）。空欄の場合、PARLEY_PLATFORM_PROXYが設定されていればそれを使います。`,
    },
  });
}
