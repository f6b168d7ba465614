import type { SignedIn } from '@uprez/testing/sign-up';

type Row = { id: string };

/** Reads all pages of a table by their links. Returns the IDs, in order, and the total of each page. */
export async function readTable(
  url: string,
  admin: SignedIn,
  path: string,
): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = [];
  const totals: number[] = [];
  for (let next: string | undefined = `/api/admin/payments/${path}`; next; ) {
    const response: Response = await admin.fetch(`${url}${next}`);
    if (!response.ok) throw new Error(await response.text());
    ids.push(...((await response.json()) as Row[]).map(({ id }) => id));
    totals.push(Number(response.headers.get('x-total-count')));
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return { ids, totals };
}
