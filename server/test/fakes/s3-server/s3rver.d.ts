declare module '@20minutes/s3rver' {
  import type { RequestListener } from 'node:http';
  import type { Readable } from 'node:stream';

  interface S3rverOptions {
    directory: string;
    silent: boolean;
    vhostBuckets: boolean;
    configureBuckets: { name: string }[];
  }

  /** A Koa application with the REST calls of S3 on a folder. */
  export default class S3rver {
    constructor(options: S3rverOptions);
    readonly store: {
      /** @returns size and MD5 */
      putContent(path: string, content: Readable | Buffer): Promise<[number, string]>;
    };
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
