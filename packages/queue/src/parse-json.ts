import type * as z from 'zod';

/** What a text from Redis says, if it is JSON of that shape; undefined else. */
export function parseJson<T>(schema: z.ZodType<T>, text: string | null): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}
