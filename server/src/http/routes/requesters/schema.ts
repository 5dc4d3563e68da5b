import Type from 'typebox';
import { Requester } from '../../../core/models/requester.ts';

export const RequesterParams = Type.Object({ requester_name: Type.String() });
export const RequesterQuery = Type.Object({
  type: Type.Optional(
    Type.String({ description: 'Only requesters with models of this kind: `llm`, `text-embedding` or `rerank`.' }),
  ),
});
export const RequesterAnswer = Type.Object({ requester: Requester });
export const RequesterList = Type.Object({ requesters: Type.Array(Requester) });
