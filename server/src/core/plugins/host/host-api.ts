import { ParleyError } from '@parley/sdk';
import { Check, Errors } from 'typebox/value';
import type { ActivePlugin } from '../active-plugin.ts';
import type { HostAnswer, HostCalls } from '../plugin-caller.ts';
import type { HostMethod } from '../plugin-protocol.ts';
import { hostParameters, hostPermissions } from './host-parameters.ts';
import type { HostHandler, HostHandlers, HostRequest, PluginHostApi, PluginMessageScope } from './plugin-host-api.ts';

/** Answers the requests of plugins: only those that they have the permission for, and only well-formed ones. */
export class HostApi implements PluginHostApi {
  readonly #handlers: HostHandlers;

  constructor(handlers: HostHandlers) {
    this.#handlers = handlers;
  }

  during(plugin: ActivePlugin, scope: PluginMessageScope | null): HostCalls {
    const counted = { reply: 0, send: 0, add: 0 };
    const nextKey: HostRequest['nextKey'] = (kind) => {
      if (scope === null) return null;
      const ordinal = counted[kind];
      counted[kind] += 1;
      return { ...scope.source, ordinal };
    };
    return {
      answer: async (method, parameters, signal) => {
        this.#check(plugin, method, parameters);
        // The parameters have the shape of the method's.
        const handler = this.#handlers[method] as HostHandler<HostMethod>;
        return (await handler(parameters as never, { plugin, scope, signal, nextKey })) as HostAnswer;
      },
    };
  }

  #check({ manifest }: ActivePlugin, method: HostMethod, parameters: unknown): void {
    if (!Object.hasOwn(hostParameters, method)) {
      throw new ParleyError('invalid_request', `There is no request ${JSON.stringify(String(method).slice(0, 40))}`);
    }
    if (!hostPermissions[method](manifest.permissions ?? {})) {
      throw new ParleyError('plugin_permission_denied', `The plugin has no permission for ${method}`);
    }
    const schema = hostParameters[method];
    if (Check(schema, parameters)) return;
    const [fault] = Errors(schema, parameters);
    throw new ParleyError('invalid_request', `${method}: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
  }
}
