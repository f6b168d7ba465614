/** Iterates over the rows of all pages. */
export async function* listPages<Row>(
  load: (cursor: string | undefined) => Promise<{ data: Row[]; next_cursor: string | null }>,
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
}
