type Number64 = bigint;

/** The calls of the system's C library that a launch needs. Buffers are passed by address. */
export interface CLibrary {
  syscall(number: Number64, first: Number64, second: Number64, third: Number64, fourth: Number64): Number64;
  /** @returns 0, or less when it failed */
  prctl(option: number, value: Number64): number;
  signal(number: number, handling: Number64): void;
  capget(header: Buffer, data: Buffer): number;
  capset(header: Buffer, data: Buffer): number;
  /** Sets a limit of a resource, and with it the highest that can be set later. */
  setLimit(resource: number, value: number): void;
  addressOf(buffer: Buffer): Number64;
}

/** @throws Error where this Node.js cannot call the C library, or it lacks a call */
export function openCLibrary(): CLibrary {
  const ffi = process.getBuiltinModule('node:ffi');
  const library = new ffi.DynamicLibrary(null);
  const syscall = library.getFunction('syscall', { return: 'i64', arguments: ['i64', 'i64', 'i64', 'i64', 'i64'] });
  const prctl = library.getFunction('prctl', { return: 'i32', arguments: ['i32', 'i64', 'i64', 'i64', 'i64'] });
  const signal = library.getFunction('signal', { return: 'i64', arguments: ['i32', 'i64'] });
  const capget = library.getFunction('capget', { return: 'i32', arguments: ['i64', 'i64'] });
  const capset = library.getFunction('capset', { return: 'i32', arguments: ['i64', 'i64'] });
  const setrlimit = library.getFunction('setrlimit', { return: 'i32', arguments: ['i32', 'i64'] });
  return {
    syscall: (...given) => BigInt(syscall(...given) as bigint),
    prctl: (option, value) => Number(prctl(option, value, 0n, 0n, 0n)),
    signal: (number, handling) => void signal(number, handling),
    capget: (header, data) => Number(capget(ffi.getRawPointer(header), ffi.getRawPointer(data))),
    capset: (header, data) => Number(capset(ffi.getRawPointer(header), ffi.getRawPointer(data))),
    setLimit: (resource, value) => {
      const limit = Buffer.alloc(16);
      limit.writeBigUInt64LE(BigInt(value));
      limit.writeBigUInt64LE(BigInt(value), 8);
      setrlimit(resource, ffi.getRawPointer(limit));
    },
    addressOf: ffi.getRawPointer,
  };
}
