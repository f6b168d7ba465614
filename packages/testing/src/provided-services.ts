import { hostEnv } from './config.ts';

/** The servers of a test run, and the migrated database that every test file copies. */
export type ProvidedServices = { adminUrl: string; template: string; redisUrl: string };

const variable = 'UPREZ_TEST_SERVICES';

/** Passes the servers to the processes that run the tests, whichever runner starts them. */
export function provideServices(services: ProvidedServices): void {
  hostEnv[variable] = JSON.stringify(services);
}

/** Returns the servers that the global setup opened. Throws when it did not run. */
export function getServices(): ProvidedServices {
  const text = hostEnv[variable];
  if (!text) throw new Error('The global setup of the tests did not run.');
  return JSON.parse(text);
}
