import { useQuery } from '@tanstack/react-query';
import { ExplainFailure } from '../../components/explain/explain-failure.tsx';
import { explanationQuery } from '../../components/explain/explanation-query.ts';

/** Why a message was not answered, for the signed-in account; the answer itself has the text of the pipeline. */
export function ChatFailure({ messageUuid }: { messageUuid: string }) {
  const { data } = useQuery(explanationQuery(messageUuid));
  return data === undefined ? null : <ExplainFailure explanation={data} linksTrace />;
}
