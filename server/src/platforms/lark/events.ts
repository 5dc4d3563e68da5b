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

/** An object, empty for anything else. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A text, empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
