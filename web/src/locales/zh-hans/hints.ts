import type { hints as english } from '../en/hints.ts';
import type { Texts } from '../texts.ts';

/** What to do about a failure whose cause is known. */
export const hints: Texts<typeof english> = {
  base_url_version: '基础 URL 缺少版本部分，请改用 {{url}}。',
  base_url_path: '基础 URL 中包含了接口路径，请改用 {{url}}。',
  not_an_api: '该地址返回的是网页，而不是 API 响应。请检查基础 URL。',
  redirected: '不会跟随重定向。如果 {{url}} 就是该提供商的地址，请将其设为基础 URL。',
  key_missing: '该提供商需要 API 密钥，但尚未保存密钥。请添加一个。',
  key_rejected: 'API 密钥可能输入有误、已过期或已被吊销。请在提供商处新建一个。',
  key_of_other_provider: '该 API 密钥看起来属于 {{provider}}。请使用当前提供商的密钥，或改用 {{provider}} 的基础 URL。',
  key_permissions: '该 API 密钥没有此操作的权限。请在提供商处检查密钥的权限、项目和区域。',
  unknown_model: '请检查模型 ID，或从提供商的列表中选择模型。',
  rate_limit: '短时间内请求过多。请稍后再试，或添加另一个 API 密钥或备用模型。',
  quota_used_up: '账户的余额或配额已用完。请查看提供商的账单页面。',
  provider_problem: '提供商出现故障。请稍后重试，并查看提供商的状态页面。',
  no_response: '请重试，并确认服务器正在运行且没有过载。',
  broken_connection: '请重试。本服务器与提供商之间的代理可能会中断较长的响应。',
  unknown_host: '该主机名不存在。请检查地址是否输入有误。',
  connection_refused:
    '该主机和端口上没有服务在监听。请检查地址，并确认服务正在运行。在容器中，localhost 指的是容器本身。',
  host_unreachable: '本服务器没有到该地址的网络路由。请检查网络、防火墙和 DNS。',
  certificate: 'TLS 证书不受信任。请检查地址，或通过 NODE_EXTRA_CA_CERTS 添加证书颁发机构。',
  no_tls: '该端口上的服务未使用 TLS。请将 https:// 改为 http://。',
};
