import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Batch, BatchItem, ManifestRow } from '@uprez/contracts/schemas/batch';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/job';
import type { Actor } from '@uprez/domain/actor';
import type { BatchWithItems, ItemWithJob } from '@uprez/domain/batches/get-batch';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyReply,
  FastifyRequest,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { App } from '../app-type.ts';
import type { contract } from '../http/contract.ts';

/** A handler of a call, typed by the call's contract under `/api`. */
export type Handler<Name extends RouteName> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  ReturnType<typeof contract<Name>>['schema'],
  ZodTypeProvider,
  FastifyBaseLogger
>;

/** What differs between `/api` (session cookie, camelCase) and `/v1` (API key, snake_case) for handlers that serve both. */
export type Traits = {
  surface: 'web' | 'api';
  /** The routes that serve a call, by the name of the call under `/api`. */
  routesOf: (name: RouteName) => ReturnType<typeof contract>[];
  /** Who makes the call. Throws `not_signed_in` or `bad_api_key`. */
  actorOf: (request: FastifyRequest) => Promise<Actor>;
  /** The plan of the caller; `free` for visitors. */
  tierOf: (request: FastifyRequest) => Promise<Tier>;
  /** Reports how many credits the call was charged, where the dialect has a header for it. */
  tellCharged: (reply: FastifyReply, units: number) => FastifyReply;
  presentJob: (reply: FastifyReply, found: JobWithFiles) => Job;
  presentDeletion: (reply: FastifyReply, receipt: DeletionReceipt) => DeletionReceipt;
  presentBatch: (reply: FastifyReply, found: BatchWithItems) => Batch;
  presentBatchItem: (reply: FastifyReply, entry: ItemWithJob) => BatchItem;
  /** Renames the columns of a manifest. */
  presentManifestRow: (row: ManifestRow) => Record<string, string | number | null>;
};

/** Registers shared handlers in one scope, in the words of one of the two APIs. */
export type Dialect = Traits & {
  app: App;
  route: <Name extends RouteName>(name: Name, handler: Handler<Name>, options?: { bodyLimit?: number }) => void;
};

/** Binds a dialect to the scope that its routes are registered in. */
export const bindDialect = (traits: Traits, app: App): Dialect => ({
  ...traits,
  app,
  route: (name, handler, options) => {
    // The contract of the name types the handler; the routes of a dialect differ in spelling only.
    for (const row of traits.routesOf(name)) app.route({ ...row, ...options, handler: handler as Handler<RouteName> });
  },
});
