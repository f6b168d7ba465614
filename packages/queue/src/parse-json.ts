type Schema<T> = { safeParse: (value: unknown) => { data?: T | undefined } };

/** What a text from Redis says, if it is JSON of that shape; undefined else. */
export function parseJson<T>(schema: Schema<T>, text: string | null): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}
