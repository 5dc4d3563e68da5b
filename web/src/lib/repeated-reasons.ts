interface RecordedError {
  error_type: string;
  error_message: string;
}

/** Removes messages that only repeat the reason: the server returns its English text for errors without a detail. */
export async function withoutRepeatedReasons<Recorded extends RecordedError>(
  errors: readonly Recorded[],
): Promise<Recorded[]> {
  // Imported on demand: in the first file, the English texts would wait for the file that waits for them.
  const { reasons } = await import('@parley/sdk/reasons');
  const texts: Record<string, string> = reasons;
  return errors.map((error) =>
    error.error_message === texts[error.error_type] ? { ...error, error_message: '' } : error,
  );
}
