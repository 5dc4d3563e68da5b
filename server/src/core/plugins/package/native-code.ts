/** Names of programs and libraries, also with a version behind. */
const nativeName = /\.(?:node|so(?:\.\d+)*|dylib|dll|exe|com|sys|a|lib|o|obj)$/i;

const signatures = [
  ['ELF', '7f454c46'],
  ['Mach-O', 'feedface'],
  ['Mach-O', 'feedfacf'],
  ['Mach-O', 'cefaedfe'],
  ['Mach-O', 'cffaedfe'],
  // Also that of Java classes, which have no place in a package either.
  ['Mach-O', 'cafebabe'],
  ['Mach-O', 'cafebabf'],
  ['ar', '213c617263683e0a'],
] as const;

/** Whether a file is native code by its name. */
export function hasNativeName(path: string): boolean {
  return nativeName.test(path);
}

/** The format of native code; null for any other content. */
export function nativeFormat(content: Buffer): string | null {
  const start = content.subarray(0, 8).toString('hex');
  return (
    signatures.find(([, signature]) => start.startsWith(signature))?.[0] ??
    (isPortableExecutable(content) ? 'PE' : null)
  );
}

/** Its old header, which begins with two letters, says where the new one is. */
function isPortableExecutable(content: Buffer): boolean {
  if (content.length < 64 || content.toString('latin1', 0, 2) !== 'MZ') return false;
  const header = content.readUInt32LE(60);
  return content.toString('latin1', header, header + 4) === 'PE\0\0';
}
