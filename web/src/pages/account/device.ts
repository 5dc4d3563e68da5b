/** Browser and operating system of a user agent; the names are the same in every language. */
export interface Device {
  program: string | null;
  system: string | null;
  isPhone: boolean;
}

/** The first match: most browsers also contain the names of others. */
const programs: readonly [pattern: RegExp, name: string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^python-requests\/|^python-httpx\/|^Python/, 'Python'],
  [/^node\b|^undici\b/, 'Node.js'],
  [/^parley\b/i, 'Parley'],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** A readable name of the device of a session. */
export function deviceOf(userAgent: string): Device {
  const named = (list: typeof programs) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const system = named(systems);
  return {
    program: named(programs) ?? /^([\w.-]{1,40})\/[\d.]+/.exec(userAgent.replace(/^Mozilla\/5\.0.*/, ''))?.[1] ?? null,
    system,
    isPhone: system === 'iPhone' || (system === 'Android' && /\bMobile\b/.test(userAgent)),
  };
}
