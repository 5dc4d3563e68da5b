/** A part of a multipart body. */
export interface Part {
  name: string;
  /** Written between the quotes as it is; a part without one is a text field. */
  filename?: string;
  type?: string;
  content?: string | Buffer;
}

export const boundary = '----parley-test-boundary';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** A multipart body as browsers write it, with whatever was given as names. */
export function multipart(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, content = '' }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const typeLine = type === undefined ? '' : `\r\ncontent-type: ${type}`;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}${typeLine}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
