import type { Context } from '../context.ts';
import type { ParamShapes, ReplyShapes } from '../shapes.ts';
import { notServed } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';
import { expandFields } from './expand-fields.ts';

/** Parameters that calls have in common. */
const common = ['ending_before', 'expand', 'limit', 'starting_after'] as const;

type Params<P extends keyof ParamShapes> = Wire<ParamShapes[P]>;
type Served<P extends keyof ParamShapes, S> = Pick<Params<P>, Extract<keyof Params<P>, S | (typeof common)[number]>>;

/** A call of Stripe's API: its address, the shapes of its parameters and reply, and what it does. */
interface Call<P extends keyof ParamShapes, S extends keyof Params<P>, R extends keyof ReplyShapes> {
  method: 'GET' | 'POST' | 'DELETE';
  /** With `:id` for the ID of an object. */
  path: string;
  params: P;
  /** The parameters that the double understands. Stripe has more, which are refused and not ignored. */
  serves?: readonly S[];
  reply: R;
  run(context: Context, params: Served<P, S>, id: string): Wire<ReplyShapes[R]>;
}

export interface ServedCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Name of the shape of its parameters. */
  params: keyof ParamShapes;
  serves: ReadonlySet<PropertyKey>;
  /** Validates the parameters, runs the call, and expands and validates the reply. Synchronous. */
  handle(context: Context, input: object, id: string): object;
}

export function defineCall<P extends keyof ParamShapes, R extends keyof ReplyShapes, S extends keyof Params<P> = never>(
  call: Call<P, S, R>,
): ServedCall {
  const serves = new Set<PropertyKey>([...common, ...(call.serves ?? [])]);
  return {
    method: call.method,
    path: call.path,
    params: call.params,
    serves,
    handle: (context, input, id) => {
      const params = context.schemas.parseParams(call.params, input);
      requireServed(input, serves);
      const reply = call.run(context, params, id);
      const expanded = expandFields(context.store, reply, listExpand(input));
      context.schemas.checkReply(call.reply, expanded);
      return expanded;
    },
  };
}

function requireServed(params: object, served: ReadonlySet<PropertyKey>): void {
  const param = Object.keys(params).find((name) => !served.has(name));
  if (!param) return;
  throw notServed(`Stripe has the parameter ${param}, but the Stripe double doesn't serve it.`, param);
}

/** Every call takes `expand`, which its schema has validated. */
function listExpand(params: object): string[] {
  const paths: unknown = 'expand' in params ? params.expand : [];
  return Array.isArray(paths) ? paths.map(String) : [];
}
