import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '../tool-error.ts';

type Schema = { type?: string; minimum?: number; maximum?: number };

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
};
const articles: Record<string, string> = { integer: 'a whole number', object: 'an object' };

/**
 * Checks the names and types of arguments, and that none is missing. The API checks the values of options, because it
 * knows the limits of the plan. Throws ToolError.
 */
export function checkArguments({ name, inputSchema }: Tool, args: Record<string, unknown>): void {
  const properties = inputSchema.properties as Record<string, Schema>;
  const list = Object.keys(properties).join(', ') || 'none';
  for (const [argument, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
    if (!schema) throw new ToolError(`Unknown argument "${argument.slice(0, 40)}" of ${name}. Allowed: ${list}.`);
    checkType(argument, schema, value);
  }
  for (const argument of inputSchema.required ?? [])
    if (args[argument] === undefined) throw new ToolError(`Missing argument "${argument}" of ${name}.`);
}

function checkType(argument: string, { type = 'string' }: Schema, value: unknown): void {
  if (types[type]?.(value) ?? true) return;
  const got = JSON.stringify(value)?.slice(0, 100);
  throw new ToolError(`"${argument}" must be ${articles[type] ?? `a ${type}`}. You sent ${got}.`);
}
