import type { EmitEvent, SaveObject } from './events/emit-event.ts';
import type { Schemas } from './schemas.ts';
import type { Store } from './state/open-store.ts';

export interface Context {
  store: Store;
  schemas: Schemas;
  /** Returns the current Unix time in seconds. */
  now(): number;
  /** Returns the URL of the double, without a trailing slash. */
  origin(): string;
  emit: EmitEvent;
  save: SaveObject;
}

export interface RouteOptions {
  context: Context;
  /** Called after a request's changes and events have been stored. */
  onStored(): void;
}
