import { expect, it } from 'vitest';
import * as z from 'zod';
import { openSchema, spellSchema, tidySchema } from './tidy-schema.ts';

const convert = (schema: z.ZodType) => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => tidySchema(jsonSchema),
  });
  return made;
};

it('leaves out what validators add of their own', () => {
  expect(convert(z.int())).toEqual({ type: 'integer' });
  expect(convert(z.int().min(0))).toEqual({ type: 'integer', minimum: 0 });
  expect(convert(z.uuid())).toEqual({ type: 'string', format: 'uuid' });
});

it('tells each field by its first name, and understands the others, wherever they are', () => {
  const item = z.strictObject({ clientId: z.string().describe('Its name.'), size: z.int().default(1) });
  const made = spellSchema(convert(z.strictObject({ items: z.array(item) })));
  expect(made).toMatchObject({ required: ['items'], properties: { items: { type: 'array' } } });
  expect(made).not.toHaveProperty('patternProperties');
  expect((made.properties as { items: { items: object } }).items.items).toEqual({
    type: 'object',
    properties: {
      client_id: { type: 'string', description: 'Its name.', 'x-aliases': ['clientId', 'client-id'] },
      size: { type: 'integer', default: 1 },
    },
    patternProperties: { '^(clientId|client-id)$': { type: 'string' } },
    required: ['client_id'],
    additionalProperties: false,
  });
});

it('takes the other names that a field says itself', () => {
  const factor = z
    .number()
    .optional()
    .meta({ 'x-aliases': ['scale', 'x'] });
  expect(spellSchema(convert(z.strictObject({ scale_factor: factor })))).toMatchObject({
    properties: { scale_factor: { 'x-aliases': ['scale', 'x'] } },
    patternProperties: { '^(scale|x)$': { type: 'number' } },
  });
});

it('lets answers gain fields, though not lists of values another kind', () => {
  const { $schema: _, ...answer } = z.toJSONSchema(z.object({ counts: z.record(z.string(), z.int()) }));
  const made = openSchema(answer);
  expect(made).not.toHaveProperty('additionalProperties');
  expect(made.properties).toMatchObject({ counts: { additionalProperties: { type: 'integer' } } });
});
