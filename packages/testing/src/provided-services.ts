import { inject } from 'vitest';

/** The servers that the global setup started, as test files see them. */
export type ProvidedServices = { adminUrl: string; template: string; redisUrl: string };

declare module 'vitest' {
  interface ProvidedContext {
    services: ProvidedServices;
  }
}

export const getServices = (): ProvidedServices => inject('services');
