/** Creating a format of `Intl` takes far longer than using it: lists of many rows share them. */
function shared<Options extends object, Format>(create: (language: string, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (language: string, options: Options): Format => {
    const key = `${language} ${JSON.stringify(options)}`;
    let format = formats.get(key);
    if (format === undefined) {
      format = create(language, options);
      formats.set(key, format);
    }
    return format;
  };
}

export const numberFormat = shared(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);
export const dateFormat = shared(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);
export const relativeFormat = shared(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);
