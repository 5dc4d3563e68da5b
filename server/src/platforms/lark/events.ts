import { objectOf, textOf } from '../../lib/loose-values.ts';

/** An event as both connections carry it, version 2.0; tickets of apps come in the older form. */
export interface LarkEvent {
  id: string;
  type: string;
  /** Key of the company in which it happened. */
  tenant: string;
  /** Id of the app. */
  app: string;
  content: Record<string, unknown>;
}

/** @returns null for what is no event */
export function eventOf(value: unknown): LarkEvent | null {
  const { header, event, uuid } = objectOf(value);
  const content = objectOf(event);
  const { event_id, event_type, tenant_key, app_id } = objectOf(header);
  if (typeof event_type === 'string') {
    return { id: textOf(event_id), type: event_type, tenant: textOf(tenant_key), app: textOf(app_id), content };
  }
  const type = textOf(content.type);
  return type === ''
    ? null
    : { id: textOf(uuid), type, tenant: textOf(content.tenant_key), app: textOf(content.app_id), content };
}
