import { makeId } from '../make-id.ts';
import type { Schemas } from '../schemas.ts';
import type { EventShapes } from '../shapes.ts';
import type { Store } from '../state/open-store.ts';
import type { TableName, Tables } from '../state/tables.ts';
import { apiVersion, type Wire } from '../wire.ts';

type EventObject<T extends keyof EventShapes> = Wire<EventShapes[T]['data']['object']>;

export type EmitEvent = <T extends keyof EventShapes>(
  type: T,
  object: EventObject<T>,
  previous?: Partial<EventObject<T>>,
) => void;

/** Stores an object, emits an event about it, and returns it. */
export type SaveObject = <T extends TableName, E extends keyof EventShapes>(
  table: T,
  type: E,
  row: Tables[T] & EventObject<E>,
) => Tables[T];

interface EmitterDeps {
  store: Store;
  schemas: Schemas;
  now(): number;
}

/**
 * Returns a function that stores an event about an object. The function also stores a delivery for each webhook
 * endpoint that is subscribed to the event's type.
 */
export const makeEmitEvent =
  ({ store, schemas, now }: EmitterDeps): EmitEvent =>
  (type, object, previous) => {
    const endpoints = store.list('webhookEndpoints').filter((endpoint) => isSubscribed(endpoint, type));
    const event = schemas.parseEvent(type, {
      id: makeId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: now(),
      data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: endpoints.length,
      request: { id: null, idempotency_key: null },
      type,
    });
    store.put('events', event);
    for (const { id: endpoint } of endpoints)
      store.put('deliveries', {
        id: makeId('del'),
        event: event.id,
        endpoint,
        attempts: 0,
        status: 'new',
        due: 0,
      });
  };

const isSubscribed = ({ status, enabled_events }: Tables['webhookEndpoints'], type: string) =>
  status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type));
