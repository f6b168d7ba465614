import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import type { ParamShapes, ReplyShapes } from '../shapes.ts';
import type { TableName, Tables } from '../state/tables.ts';
import type { Wire } from '../wire.ts';
import { type Params, type ServedCall, type ServedParams, serveCall } from './define-call.ts';
import { listPage, matchesFilter } from './list-page.ts';

/** Name of the shape of an object that can be retrieved. */
type ObjectName = keyof {
  [N in keyof ReplyShapes as `${N}RetrieveParams` extends keyof ParamShapes ? N : never]: true;
};
type TableOf<N extends ObjectName> = {
  [T in TableName]: Tables[T] extends Wire<ReplyShapes[N]> ? T : never;
}[TableName];

/** Name of an action whose parameters have a shape, such as `Update`. */
type ActionName<N extends ObjectName> = {
  [P in keyof ParamShapes]: P extends `${N}${infer A}Params` ? A : never;
}[keyof ParamShapes];
type ParamsName<N extends ObjectName, A extends string> = Extract<`${N}${A}Params`, keyof ParamShapes>;
type ReplyName<N extends ObjectName, A extends string> = A extends 'Delete'
  ? Extract<`Deleted${N}`, keyof ReplyShapes>
  : N;

interface Resource<N extends ObjectName, T extends TableOf<N>> {
  path: string;
  /** Name of the object's shape. */
  object: N;
  table: T;
  /** Computes the fields that depend on the current time, which is in seconds. Default: returns the stored object. */
  view?(row: Tables[T], now: number): Tables[T];
}

interface ListOptions<P extends keyof ParamShapes, Row, F, S> {
  /** Parameters that select objects whose field of the same name has the parameter's value. */
  filters?: readonly F[];
  /** Other parameters, which `where` reads. */
  serves?: readonly S[];
  where?(row: Row, params: ServedParams<P, F | S>): boolean;
}

interface CreateOptions<P extends keyof ParamShapes, S, R extends keyof ReplyShapes> {
  serves: readonly S[];
  run(context: Context, params: ServedParams<P, S>): Wire<ReplyShapes[R]> & object;
}

interface ActionOptions<P extends keyof ParamShapes, Row, S, R extends keyof ReplyShapes> {
  method?: 'POST' | 'DELETE';
  /** Follows the object's path. Default: the action's name. */
  path?: string;
  serves?: readonly S[];
  /** `row` is the stored object. */
  run(context: Context, params: ServedParams<P, S>, row: Row): Wire<ReplyShapes[R]> & object;
}

/** Returns functions that define the calls for one type of object. */
export function defineResource<N extends ObjectName, T extends TableOf<N>>({
  path,
  object,
  table,
  view = (row) => row,
}: Resource<N, T>) {
  type NameOf<A extends string> = ParamsName<N, A>;
  // Safe casts, because the parameters' types allow only actions that have shapes.
  const paramsOf = <A extends string>(action: A) => `${object}${action}Params` as NameOf<A>;
  const replyOf = (name: string) => name as keyof ReplyShapes;

  const action = <A extends ActionName<N> | 'Update' | 'Delete', S extends keyof Params<NameOf<A>> = never>(
    name: A,
    options: ActionOptions<NameOf<A>, Tables[T], S, ReplyName<N, A>>,
  ): ServedCall => {
    const { method = 'POST', path: suffix = `/${name.toLowerCase()}`, serves = [], run } = options;
    return serveCall({
      method,
      path: `${path}/:id${suffix}`,
      params: paramsOf(name),
      serves,
      reply: replyOf(name === 'Delete' ? `Deleted${object}` : object),
      run: (context, params, id) => run(context, params, getRow(context, table, { id })),
    });
  };
  return {
    action,
    update: <S extends keyof Params<NameOf<'Update'>> = never>(
      options: ActionOptions<NameOf<'Update'>, Tables[T], S, N>,
    ): ServedCall => action('Update', { path: '', ...options }),
    delete: (options: ActionOptions<NameOf<'Delete'>, Tables[T], never, ReplyName<N, 'Delete'>>): ServedCall =>
      action<'Delete', never>('Delete', { method: 'DELETE', path: '', ...options }),
    create: <S extends keyof Params<NameOf<'Create'>> = never>(
      options: CreateOptions<NameOf<'Create'>, S, N>,
    ): ServedCall => serveCall({ method: 'POST', path, params: paramsOf('Create'), reply: object, ...options }),
    retrieve: (): ServedCall =>
      serveCall({
        method: 'GET',
        path: `${path}/:id`,
        params: paramsOf('Retrieve'),
        reply: object,
        run: (context, _params, id) => view(getRow(context, table, { id }), context.now()),
      }),
    list: <
      F extends keyof Params<NameOf<'List'>> & keyof Tables[T] = never,
      S extends keyof Params<NameOf<'List'>> = never,
    >({
      filters = [],
      serves = [],
      where = () => true,
    }: ListOptions<NameOf<'List'>, Tables[T], F, S> = {}): ServedCall =>
      serveCall({
        method: 'GET',
        path,
        params: paramsOf('List'),
        serves: [...filters, ...serves],
        reply: replyOf(`${object}List`),
        run: ({ store, now }, params) => {
          const rows = store
            .list(table)
            .map((row) => view(row, now()))
            .filter((row) => filters.every((name) => matchesFilter(row[name], params[name])) && where(row, params));
          return listPage(rows, params, path);
        },
      }),
  };
}
