import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that takes long to make, and that all tests of a run use. */
export interface Resource {
  /** What a test needs to use it. */
  address: string;
  remove(): Promise<void>;
}

export interface OfferedResources {
  /** `GET <url>/<name>` is answered with the address of that resource, which the first such request makes. */
  url: string;
  /** Removes every resource that was made. */
  close(): Promise<void>;
}

/** Offers resources to the processes that run tests: none is made that no test asks for, and none twice. */
export async function offerResources(makers: Record<string, () => Promise<Resource>>): Promise<OfferedResources> {
  const made = new Map<string, Promise<Resource>>();
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    const resource = made.get(name) ?? makers[name]?.() ?? Promise.reject(new Error(`there is no resource "${name}"`));
    made.set(name, resource);
    resource.then(
      ({ address }) => response.end(address),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      const removals = [...made.values()].map((resource) =>
        resource.then(
          ({ remove }) => remove(),
          // What could not be made need not be removed.
          () => undefined,
        ),
      );
      made.clear();
      await Promise.all(removals);
    },
  };
}
