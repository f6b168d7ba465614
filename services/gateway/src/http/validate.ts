import type { FastifySchemaCompiler } from 'fastify';
import type * as z from 'zod';

/** Parse options that leave messages empty unless the schema defines one: those of zod are for developers. */
export const ownMessages = { error: () => '' };

/** The first issue that a schema found in a part of a request. */
export class SchemaError extends Error {
  readonly issue: z.core.$ZodIssue | undefined;
  /** The part of the request; set by Fastify. */
  validationContext?: string;

  constructor({ issues }: z.ZodError) {
    super('The request is invalid.');
    this.issue = issues[0];
  }
}

/** Validates parts of requests with the schemas of the contract. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema }) => {
  return (data) => {
    const parsed = schema.safeParse(data, ownMessages);
    return parsed.success ? { value: parsed.data } : { error: new SchemaError(parsed.error) };
  };
};
