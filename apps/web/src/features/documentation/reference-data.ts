import { v1Summaries } from '@uprez/contracts/docs/v1-summaries';
import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { v1Endpoints } from '@uprez/contracts/endpoints/v1';
import { toCamelCase } from '@uprez/contracts/recipe/parse-recipe';
import { recipeAliases, recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { toSnakeCaseName, v1Options } from '@uprez/contracts/v1/fields';
import { v1FieldsSchema } from '@uprez/contracts/v1/forms';

type RouteName = keyof typeof v1Routes;
const aliasTargets: Partial<Record<RouteName, RouteName>> = {
  v1Resize: 'v1Process',
  v1JobStatus: 'v1GetJob',
  v1Bulk: 'v1CreateBatch',
};
/** Returns a route's path with its parameters in braces: `/v1/jobs/{id}`. */
const pathOf = (name: RouteName) => v1Routes[name].path.replace(/:(\w+)/g, (_, part: string) => `{${part}}`);

function makeCall(name: RouteName) {
  const { docs, scope, errors, body, query, params }: Endpoint = v1Endpoints[name];
  const isRead =
    docs?.requestBodies !== undefined && Object.keys(docs.requestBodies).some((type) => /json|form/.test(type));
  return {
    ...v1Summaries[name],
    name,
    method: v1Routes[name].method,
    path: pathOf(name),
    scope,
    /** Whether the endpoint has fields besides image options. */
    takesFields: isRead || [body, query, params].some((schema) => schema !== undefined),
    errors: [...new Set(errors)].toSorted(),
  };
}

export type Call = ReturnType<typeof makeCall>;

const routeNames = Object.keys(v1Summaries) as RouteName[];

export const calls: readonly Call[] = routeNames.filter((name) => !(name in aliasTargets)).map(makeCall);
export const listAliasPaths = (call: Call): string[] =>
  routeNames.filter((name) => aliasTargets[name] === call.name).map(pathOf);

const booleanValues = 'true, false';
const facts: Record<string, { allowed: string }> = { ...recipeFields, ...v1Options };

export const parameters = Object.entries(v1FieldsSchema.shape).map(([name, schema]) => {
  const { description = '', default: fallback } = schema.meta() ?? {};
  const field = toCamelCase(name);
  return {
    name,
    allowed: facts[field]?.allowed ?? booleanValues,
    description,
    fallback: fallback === undefined ? undefined : String(fallback),
    aliases: Object.entries(recipeAliases).flatMap(([alias, of]) => (of === field ? [toSnakeCaseName(alias)] : [])),
  };
});
