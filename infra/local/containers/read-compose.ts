import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type HealthCheck = {
  test?: string[];
  interval?: string;
  timeout?: string;
  start_period?: string;
  retries?: number;
  disable?: boolean;
};
export type Service = {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string | null>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: HealthCheck;
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  init?: boolean;
  restart?: string;
  stop_grace_period?: string;
  shm_size?: string;
  profiles?: string[];
};
export type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

/** The fields that are followed. Another one would be silently ignored. */
const followed = new Set(
  'image build command environment volumes ports depends_on healthcheck cap_drop security_opt read_only init restart stop_grace_period shm_size'.split(
    ' ',
  ),
);

/**
 * Reads the services of a Compose file that start without a profile, and inserts variables. Throws on a missing variable, and on
 * fields that `start-service.ts` lacks.
 */
export function readCompose(file: string, variables: Record<string, string>): Compose {
  const parsed = parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;
  const started = Object.entries(parsed.services).filter(([, service]) => !service.profiles);
  const compose = insert({ ...parsed, services: Object.fromEntries(started) }, variables) as Compose;
  for (const [name, service] of Object.entries(compose.services)) {
    const unknown = Object.keys(service).filter((field) => !followed.has(field));
    if (unknown.length > 0) throw new Error(`${name}: this test doesn't follow ${unknown.join(', ')}`);
    for (const [key, value] of Object.entries(service.environment ?? {}))
      if (value === null && service.environment) service.environment[key] = variables[key] ?? null;
  }
  return compose;
}

function insert(value: unknown, variables: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => insert(item, variables));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, insert(item, variables)]));
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (...[, name = '', kind, rest = '']: string[]) => {
    const given = variables[name];
    if (given) return given;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}
