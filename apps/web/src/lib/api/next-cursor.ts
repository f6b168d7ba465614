/** Returns the cursor of the next page of a list, or undefined on the last page. */
export const findNextCursor = (headers: Headers): string | undefined =>
  /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
