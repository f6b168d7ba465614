/** The cursor of the next page of a list; undefined on the last one. */
export const nextCursor = (headers: Headers): string | undefined =>
  /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
