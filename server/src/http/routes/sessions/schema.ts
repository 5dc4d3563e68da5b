import Type from 'typebox';
import { SessionRecord } from '../../../core/accounts/session.ts';

export const SessionParams = Type.Object({ session_uuid: Type.String({ format: 'uuid' }) });
export const SessionList = Type.Object({ sessions: Type.Array(SessionRecord) });
