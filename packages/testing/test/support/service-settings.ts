import { readConfig as readDispatcherConfig, readSetupConfig } from '@uprez/dispatcher/config';
import { readConfig as readGatewayConfig } from '@uprez/gateway/config';
import { SettingsError } from '@uprez/runtime/parse-settings';
import { readConfig as readWorkerConfig } from '@uprez/worker/config';
import { expect } from 'vitest';

export type ReadConfig = (env: NodeJS.ProcessEnv) => { NODE_ENV: string; storage: { kind: string } };

/** What each container runs to read its settings. */
export const readers = {
  gateway: readGatewayConfig,
  worker: readWorkerConfig,
  dispatcher: readDispatcherConfig,
  setup: readSetupConfig,
} satisfies Record<string, ReadConfig>;

/** The names that a service reads from its environment. */
export function listNames(read: ReadConfig): Set<string> {
  const names = new Set<string>();
  const env = new Proxy({}, { get: (_target, name) => void names.add(String(name)) });
  expect(() => read(env)).toThrow(SettingsError);
  return names;
}
