import type * as english from '../en/account.ts';
import type { Texts } from '../texts.ts';

export const account: Texts<typeof english.account> = {
  user: '邮箱或用户名',
  password: '密码',
  newPassword: '新密码',
  repeatPassword: '再次输入密码',
  showPassword: '显示密码',
  hidePassword: '隐藏密码',
  passwordRule: '至少 8 个字符。',
  passwordTooShort: '密码至少需要 8 个字符。',
  passwordsDiffer: '两次输入的密码不一致。',
  required: '请填写此项。',
};

export const setUp: Texts<typeof english.setUp> = {
  title: '欢迎使用 Parley',
  introduction: '创建第一个账户。它是此系统的管理员。',
  token: '初始化令牌',
  tokenHelp: '请粘贴服务器启动时打印的链接，或链接末尾的令牌。在服务器上运行 ./parley set-up-link 可再次打印该链接。',
  submit: '创建账户',
};

export const recovery: Texts<typeof english.recovery> = {
  title: '保存恢复密钥',
  introduction: '忘记密码时可用它设置新密码。仅显示这一次。',
  key: '恢复密钥',
  copy: '复制',
  copied: '已复制',
  download: '下载',
  saved: '我已保存',
  file:
    'Parley 恢复密钥\n\n' +
    '地址：{{address}}\n用户名：{{user}}\n恢复密钥：{{key}}\n创建日期：{{date}}\n\n' +
    '忘记密码时，请打开 {{link}} ，输入用户名和此密钥。\n' +
    '每个密钥只能使用一次，使用后会生成新的密钥。\n' +
    '如果没有密钥，运维人员可以在服务器上运行 ./parley user reset-password 重置密码。\n\n' +
    '请将此文件保存在他人无法读取的地方。\n',
  leave: '未保存就离开？',
  leaveText: '离开后不会再次显示。',
  createdAt: '创建于 {{date}}。',
  noDate: '没有创建时间的记录。',
  create: '创建新密钥',
  createText: '之前的密钥将失效。',
  createConfirm: '创建密钥',
};

export const signIn: Texts<typeof english.signIn> = {
  tooManyAttempts: '尝试次数过多，请稍后再试。',
  title: '登录',
  introduction: '欢迎回来。',
  expired: '会话已结束，请重新登录。',
  againTitle: '会话已结束',
  againText: '请重新登录以继续。您输入的内容会保留。',
  discard: '退出登录并放弃更改',
  submit: '登录',
  forgot: '忘记密码？',
  wait_one: '尝试次数过多，请在 {{count}} 秒后重试。',
  wait_other: '尝试次数过多，请在 {{count}} 秒后重试。',
};

export const reset: Texts<typeof english.reset> = {
  title: '重置密码',
  introduction: '请输入您保存的恢复密钥。重置后会生成新的密钥。',
  submit: '设置新密码',
  back: '返回登录',
  invalid: '用户名或恢复密钥不正确。',
};

export const profile: Texts<typeof english.profile> = {
  signedInAs: '当前登录账户：{{user}}。',
  sessions: '登录会话',
  sessionsText: '您已登录的位置。如有不认识的会话，请将其退出，然后修改密码。',
  thisSession: '当前浏览器',
  device: '{{system}} 上的 {{program}}',
  unknownDevice: '未知设备',
  lastUsed: '最近使用',
  signedIn: '登录于',
  endSession: '退出登录',
  endOthers: '退出所有其他会话',
  endOthersText: '使用您账户的其他浏览器和程序都需要重新登录。',
  sessionEnded: '已退出该会话。',
  othersEnded: '已退出所有其他会话。',
  password: '密码',
  passwordText: '修改密码后，所有其他会话都会退出登录。',
  currentPassword: '当前密码',
  changePassword: '修改密码',
  passwordChanged: '密码已修改，所有其他会话已退出登录。',
  passwordWrong: '当前密码不正确。',
  passwordLocked: '此系统的运维人员已禁用在控制台中修改密码。',
  recoveryText:
    '忘记密码时可用它设置新密码。仅显示一次，且只能使用一次。如果没有密钥，运维人员可以在服务器上运行 ./parley user reset-password 重置密码。',
  recoveryLink: '使用恢复密钥重置密码',
  appearance: '外观',
  appearanceText: '保存在此浏览器中。',
};

export const secondFactor: Texts<typeof english.secondFactor> = {
  code: '验证码',
  codeHelp: '身份验证器中的验证码，或恢复代码。',
  signCode: '双重验证',
  signCodeIntro: '密码正确。请输入验证码。',
  back: '使用其他账户',
  sf: '双重验证',
  sfText: '开启后，登录时除密码外还需要身份验证器中的验证码。',
  off: '双重验证未开启。',
  on: '双重验证已于 {{date}} 开启。',
  left_one: '剩余 {{count}} 个恢复代码。',
  left_other: '剩余 {{count}} 个恢复代码。',
  setUp: '设置',
  turnOff: '关闭',
  next: '继续',
  scan: '用身份验证器扫描此二维码，然后输入显示的验证码。',
  scanLabel: '身份验证器二维码',
  manual: '或在应用中输入此密钥',
  copyKey: '复制密钥',
  copiedKey: '已复制',
  turnOn: '开启',
  passwordFirst: '请输入密码以添加身份验证器。',
  saveTitle: '保存恢复代码',
  saveText: '无法使用身份验证器时，每个代码可用于登录一次。仅显示这一次。',
  copyCodes: '复制代码',
  copiedCodes: '已复制',
  codesFile:
    'Parley 恢复代码\n\n' +
    '地址：{{address}}\n用户名：{{user}}\n创建日期：{{date}}\n\n{{codes}}\n\n' +
    '无法使用身份验证器时，可输入其中一个代码代替验证码。每个代码只能使用一次。\n\n' +
    '请将此文件保存在他人无法读取的地方。\n',
  codes: '恢复代码',
  turnedOff: '已关闭双重验证',
  turnOffText: '登录时将只需要密码。',
};

export const identity: Texts<typeof english.identity> = {
  signInWith: '使用 {{name}} 继续',
  title: '单点登录',
  text: '用 {{name}} 代替密码登录。',
  link: '关联 {{name}}',
  unlink: '取消关联',
  linked: '已于 {{date}} 关联。',
  noPassword: '此账户没有密码，通过身份提供方登录。',
};
