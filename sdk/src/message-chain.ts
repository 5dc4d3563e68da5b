import Type, { type Static, type TObject } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { type ErrorDetail, invalidFields } from './errors.ts';

/** Quotes and forwards may hold chains that hold chains; this is how deep they may go. */
export const maximumChainDepth = 8;
/** How many elements one chain may have, nested chains counted. */
export const maximumChainElements = 1000;

const identifier = Type.Union([Type.String({ maxLength: 512 }), Type.Integer()]);
const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
/** A nested chain; its elements are checked one by one, not by the schema, so that depth is bounded. */
const nestedChain = Type.Array(Type.Object({ type: Type.String() }));

function element<Name extends string, Fields extends Record<string, Type.TSchema>>(type: Name, fields: Fields) {
  return Type.Object({ type: Type.Literal(type), ...fields }, { title: type, additionalProperties: false });
}

/** Every kind of element a message chain can hold, by its `type`. */
export const messageElements = {
  Source: element('Source', {
    id: identifier,
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
  }),
  Plain: element('Plain', { text: Type.String() }),
  Quote: element('Quote', {
    id: Type.Optional(Type.Union([identifier, Type.Null()])),
    group_id: Type.Optional(Type.Union([identifier, Type.Null()])),
    sender_id: Type.Optional(Type.Union([identifier, Type.Null()])),
    target_id: Type.Optional(Type.Union([identifier, Type.Null()])),
    origin: nestedChain,
  }),
  At: element('At', { target: identifier, display: optionalText }),
  AtAll: element('AtAll', {}),
  Image: element('Image', {
    image_id: optionalText,
    url: optionalText,
    path: optionalText,
    base64: optionalText,
  }),
  Voice: element('Voice', {
    voice_id: optionalText,
    url: optionalText,
    path: optionalText,
    base64: optionalText,
    length: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds.' })),
  }),
  File: element('File', {
    id: optionalText,
    name: optionalText,
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes.' })),
    url: optionalText,
    path: optionalText,
    base64: optionalText,
  }),
  Forward: element('Forward', {
    display: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(Type.String()),
          brief: Type.Optional(Type.String()),
          source: Type.Optional(Type.String()),
          preview: Type.Optional(Type.Array(Type.String())),
          summary: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
    node_list: Type.Optional(
      Type.Array(
        Type.Object(
          {
            sender_id: Type.Optional(identifier),
            sender_name: Type.Optional(Type.String()),
            message_chain: Type.Optional(nestedChain),
            message_id: Type.Optional(identifier),
          },
          { additionalProperties: false },
        ),
      ),
    ),
  }),
  Unknown: element('Unknown', { text: optionalText }),
  Face: element('Face', {
    face_type: Type.Optional(Type.Union([Type.Literal('face'), Type.Literal('dice'), Type.Literal('rps')])),
    face_id: Type.Optional(Type.Integer()),
    face_name: Type.Optional(Type.String()),
  }),
  WeChatMiniPrograms: element('WeChatMiniPrograms', {
    mini_app_id: Type.String(),
    user_name: Type.String(),
    display_name: optionalText,
    page_path: optionalText,
    title: optionalText,
    image_url: optionalText,
  }),
  WeChatForwardMiniPrograms: element('WeChatForwardMiniPrograms', { xml_data: Type.String(), image_url: optionalText }),
  WeChatEmoji: element('WeChatEmoji', { emoji_md5: Type.String(), emoji_size: Type.Integer() }),
  WeChatLink: element('WeChatLink', {
    link_title: optionalText,
    link_desc: optionalText,
    link_url: optionalText,
    link_thumb_url: optionalText,
  }),
  WeChatForwardLink: element('WeChatForwardLink', { xml_data: Type.String() }),
  WeChatForwardImage: element('WeChatForwardImage', { xml_data: Type.String() }),
  WeChatForwardFile: element('WeChatForwardFile', { xml_data: Type.String() }),
  WeChatAppMsg: element('WeChatAppMsg', { app_msg: Type.String() }),
  WeChatForwardQuote: element('WeChatForwardQuote', { app_msg: Type.String() }),
  WeChatFile: element('WeChatFile', {
    file_id: optionalText,
    file_name: optionalText,
    file_path: optionalText,
    file_base64: optionalText,
    file_size: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
};

type Elements = typeof messageElements;
export type MessageElementType = keyof Elements;
export type MessageElement = { [Name in MessageElementType]: Static<Elements[Name]> }[MessageElementType];
/** The content of a message: an ordered list of elements. */
export type MessageChain = MessageElement[];

/** Elements that require at least one of these fields. */
const sources: Partial<Record<string, string[]>> = {
  Image: ['image_id', 'url', 'path', 'base64'],
  Voice: ['voice_id', 'url', 'path', 'base64'],
  File: ['id', 'url', 'path', 'base64'],
};

interface Pending {
  chain: unknown;
  path: string;
  depth: number;
}

/**
 * Validates a message chain from a client, and returns it typed.
 * @param path of the chain in the request, for error details
 * @throws ParleyError `invalid_request` with one detail per fault (at most 20)
 */
export function parseMessageChain(value: unknown, path = 'message_chain'): MessageChain {
  const details: ErrorDetail[] = [];
  const pending: Pending[] = [{ chain: value, path, depth: 1 }];
  let count = 0;
  for (let next = pending.pop(); next !== undefined && details.length < 20; next = pending.pop()) {
    if (!Array.isArray(next.chain)) {
      details.push({ path: next.path, message: 'must be an array of message elements' });
      continue;
    }
    if (next.depth > maximumChainDepth) {
      details.push({ path: next.path, message: `chains may be nested at most ${maximumChainDepth} deep` });
      continue;
    }
    if (next.depth === 1 && next.chain.length === 0) {
      details.push({ path: next.path, message: 'must hold at least one element' });
    }
    count += next.chain.length;
    if (count > maximumChainElements) {
      details.push({ path: next.path, message: `a message may hold at most ${maximumChainElements} elements` });
      break;
    }
    for (const [index, candidate] of next.chain.entries()) {
      details.push(...elementFaults(candidate, `${next.path}[${index}]`, next.depth, pending));
      if (details.length >= 20) break;
    }
  }
  if (details.length > 0) {
    throw invalidFields(details);
  }
  return value as MessageChain;
}

function elementFaults(candidate: unknown, path: string, depth: number, pending: Pending[]): ErrorDetail[] {
  if (typeof candidate !== 'object' || candidate === null || Array.isArray(candidate)) {
    return [{ path, message: 'must be an object with a type' }];
  }
  const type = (candidate as { type?: unknown }).type;
  if (typeof type !== 'string' || !Object.hasOwn(messageElements, type)) {
    return [{ path: `${path}.type`, message: `must be one of ${Object.keys(messageElements).join(', ')}` }];
  }
  const schema: TObject = messageElements[type as MessageElementType];
  if (!Check(schema, candidate)) {
    return Errors(schema, candidate)
      .filter((error) => error.keyword !== 'boolean')
      .slice(0, 5)
      .flatMap((error) => describe(error as unknown as SchemaFault, path));
  }
  const record = candidate as Record<string, unknown>;
  const anyOf = sources[type];
  if (anyOf !== undefined && !anyOf.some((field) => typeof record[field] === 'string' && record[field] !== '')) {
    return [{ path, message: `needs at least one of ${anyOf.join(', ')}` }];
  }
  if (type === 'Quote') pending.push({ chain: record.origin, path: `${path}.origin`, depth: depth + 1 });
  if (type === 'Forward' && Array.isArray(record.node_list)) {
    for (const [index, node] of (record.node_list as { message_chain?: unknown }[]).entries()) {
      if (node.message_chain === undefined) continue;
      pending.push({ chain: node.message_chain, path: `${path}.node_list[${index}].message_chain`, depth: depth + 1 });
    }
  }
  return [];
}

interface SchemaFault {
  keyword: string;
  instancePath: string;
  message: string;
  params: { requiredProperties?: string[]; additionalProperties?: string[] };
}

function describe(fault: SchemaFault, path: string): ErrorDetail[] {
  const at = path + fault.instancePath.replace(/\/(\d+)/g, '[$1]').replace(/\//g, '.');
  if (fault.keyword === 'required') {
    return (fault.params.requiredProperties ?? []).map((name) => ({ path: `${at}.${name}`, message: 'is required' }));
  }
  if (fault.keyword === 'additionalProperties') {
    return (fault.params.additionalProperties ?? []).map((name) => ({
      path: `${at}.${name}`,
      message: 'is not a field of this element',
    }));
  }
  return [{ path: at, message: fault.message }];
}
