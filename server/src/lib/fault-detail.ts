/** An error of Ajv. */
export interface AjvFault {
  keyword: string;
  /** JSON Pointer. */
  instancePath: string;
  message?: string;
  params: {
    missingProperty?: string;
    additionalProperty?: string;
    allowedValues?: unknown[];
    limit?: number;
    type?: string | string[];
    format?: string;
  };
}

/** An error as the API reports it. */
interface FaultDetail {
  /** `days[0].name` */
  path: string;
  message: string;
  rule: string;
  limit?: number | string | string[];
}

/**
 * An error of Ajv as a detail of an error response.
 * @param prefix place of the value in the request; empty for the body
 */
export function faultDetail(fault: AjvFault, prefix: string): FaultDetail {
  const inner = fault.instancePath
    .slice(1)
    .replace(/~1/g, '/')
    .replace(/~0/g, '~')
    .replace(/(^|\/)(\d+)(?=\/|$)/g, '[$2]')
    .replace(/\//g, '.');
  const at = [prefix, inner].filter((part) => part !== '').join('.');
  const field = (name: string) => (at === '' ? name : `${at}.${name}`);
  const { keyword, params } = fault;
  if (keyword === 'required' && params.missingProperty !== undefined) {
    return { path: field(params.missingProperty), message: 'is required', rule: keyword };
  }
  if (keyword === 'additionalProperties' && params.additionalProperty !== undefined) {
    return { path: field(params.additionalProperty), message: 'is not a known field', rule: keyword };
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const limit = params.allowedValues.map(String);
    return { path: at, message: `must be one of ${limit.join(', ')}`, rule: keyword, limit };
  }
  const limit = params.limit ?? params.type ?? params.format;
  return { path: at, message: fault.message ?? 'is invalid', rule: keyword, ...(limit === undefined ? {} : { limit }) };
}
