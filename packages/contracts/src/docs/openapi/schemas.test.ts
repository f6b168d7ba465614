import { expect, it } from 'vitest';
import * as z from 'zod';
import { addAliases, addFormAliases, openSchema, tidySchema } from './schemas.ts';

const convert = (schema: z.ZodType) => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => tidySchema(jsonSchema),
  });
  return made;
};

it('removes the integer range, format patterns, and file encodings that zod adds', () => {
  expect(convert(z.int())).toEqual({ type: 'integer' });
  expect(convert(z.int().min(0))).toEqual({ type: 'integer', minimum: 0 });
  expect(convert(z.uuid())).toEqual({ type: 'string', format: 'uuid' });
  expect(convert(z.file())).toEqual({ type: 'string', format: 'binary' });
});

it('renames fields to snake_case and adds aliases at every level', () => {
  const item = z.strictObject({ clientId: z.string().describe('Your ID.'), size: z.int().default(1) });
  const made = addAliases(convert(z.strictObject({ items: z.array(item) })));
  expect(made).toMatchObject({ required: ['items'], properties: { items: { type: 'array' } } });
  expect(made).not.toHaveProperty('patternProperties');
  expect((made.properties as { items: { items: object } }).items.items).toEqual({
    type: 'object',
    properties: {
      client_id: { type: 'string', description: 'Your ID.', 'x-aliases': ['clientId', 'client-id'] },
      size: { type: 'integer', default: 1 },
    },
    patternProperties: { '^(clientId|client-id)$': { type: 'string' } },
    required: ['client_id'],
    additionalProperties: false,
  });
});

it('uses the aliases that a field declares', () => {
  const factor = z
    .number()
    .optional()
    .meta({ 'x-aliases': ['scale', 'x'] });
  expect(addAliases(convert(z.strictObject({ scale_factor: factor })))).toMatchObject({
    properties: { scale_factor: { 'x-aliases': ['scale', 'x'] } },
    patternProperties: { '^(scale|x)$': { type: 'number' } },
  });
});

it('describes the aliases of form fields in words, without patterns that API consoles would send', () => {
  const made = addFormAliases(convert(z.strictObject({ dryRun: z.boolean().describe('Estimate only.') })));
  expect(made).toEqual({
    type: 'object',
    properties: {
      dry_run: {
        type: 'boolean',
        description: 'Estimate only. Aliases: `dryRun`, `dry-run`.',
        'x-aliases': ['dryRun', 'dry-run'],
      },
    },
    required: ['dry_run'],
  });
});

it('allows additional properties in responses, and keeps the value type of records', () => {
  const { $schema: _, ...answer } = z.toJSONSchema(z.object({ counts: z.record(z.string(), z.int()) }));
  const made = openSchema(answer);
  expect(made).not.toHaveProperty('additionalProperties');
  expect(made.properties).toMatchObject({ counts: { additionalProperties: { type: 'integer' } } });
});
