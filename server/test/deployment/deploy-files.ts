import { readFileSync } from 'node:fs';
import { type ComposeService, readCompose } from './compose-file.ts';
import { type ImageFile, readImageFile } from './image-file.ts';

function content(name: string): string {
  return readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');
}

/** The reference deployment, as its files describe it. */
export interface Deployment {
  services: Map<string, ComposeService>;
  image: ImageFile;
  /** Of nginx. */
  nginx: string;
  ignored: string;
}

/** @param variables of `.env` @throws Error when one is missing that the file requires */
export function readDeployment(variables: Readonly<Record<string, string>>): Deployment {
  return {
    services: readCompose(content('compose.yaml'), variables),
    image: readImageFile(content('Dockerfile')),
    nginx: content('nginx.conf'),
    ignored: content('Dockerfile.dockerignore'),
  };
}

/** Services that are built from the Dockerfile. */
export function replicasOf({ services }: Pick<Deployment, 'services'>): [name: string, service: ComposeService][] {
  return [...services].filter(([, { dockerfile }]) => dockerfile !== null);
}

/** Hosts and ports that nginx passes requests to. */
export function upstreams({ nginx }: Pick<Deployment, 'nginx'>): { host: string; port: number }[] {
  return [...nginx.matchAll(/^\s*server ([\w.-]+):(\d+)/gm)].map(([, host = '', port]) => ({
    host,
    port: Number(port),
  }));
}
