import { currentSpan, withSpan } from '@uprez/tracing/spans';

const statement = /^\s*(?:\/\*.*?\*\/\s*)?(?:with .*?\)\s*)?(select|insert|update|delete|begin|commit|rollback)\b/is;
const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i;

/** Runs a query as a span of the current trace. The span has the operation and the first table, never SQL or values. */
export function traceQuery<T>(sql: string, query: () => Promise<T>): Promise<T> {
  if (!currentSpan()?.isSampled) return query();
  const operation = (statement.exec(sql)?.[1] ?? 'query').toLowerCase();
  const collection = table.exec(sql)?.[1];
  const facts = { 'db.operation.name': operation, ...(collection && { 'db.collection.name': collection }) };
  return withSpan(`db ${operation}`, { kind: 'client', facts }, query);
}
