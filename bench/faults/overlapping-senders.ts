import type { RecordedSend } from './record.ts';

/** Sends for a bot that another process sent beside: it had begun before and went on afterwards. */
export function overlappingSends(sends: readonly RecordedSend[]): RecordedSend[] {
  return [...Map.groupBy(sends, ({ bot }) => bot).values()].flatMap(overlappingOfBot);
}

function overlappingOfBot(sends: readonly RecordedSend[]): RecordedSend[] {
  const spans = [...Map.groupBy(sends, ({ process }) => process)].map(([process, ofProcess]) => {
    const times = ofProcess.map(({ receivedAt }) => receivedAt);
    return { process, from: Math.min(...times), until: Math.max(...times) };
  });
  return sends.filter(({ process, receivedAt }) =>
    spans.some((span) => span.process !== process && span.from < receivedAt && receivedAt < span.until),
  );
}
