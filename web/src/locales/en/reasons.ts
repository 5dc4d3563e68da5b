import { type Reason, reasons as texts } from '@parley/sdk/reasons';

/** Why a request, a message or a delivery failed or ended: one text for the API, its documentation and the console. */
export const reasons: Record<Reason, string> = texts;
