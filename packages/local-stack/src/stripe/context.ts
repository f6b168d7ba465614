import type { EmitEvent } from './events/emit-event.ts';
import type { Schemas } from './schemas.ts';
import type { Store } from './state/open-store.ts';

/** What a call works with. */
export interface Context {
  store: Store;
  schemas: Schemas;
  /** Unix time in seconds. */
  now(): number;
  /** URL at which the double listens, without a slash at its end. */
  origin(): string;
  /** Stores an event about an object, and its deliveries. */
  emit: EmitEvent;
}
