type Respond = (send: () => Promise<Response>) => Promise<Response>;

const rules = new Set<{ url: RegExp; respond: Respond }>();

/**
 * Responds to the page's requests if their URL matches `url`, until the returned function is called or the test ends.
 * @param respond may call `send` to get the gateway's response
 */
export function intercept(url: RegExp, respond: Respond): () => void {
  const rule = { url, respond };
  rules.add(rule);
  return () => void rules.delete(rule);
}

export const clearIntercepts = (): void => rules.clear();

export function sendOrIntercept(url: string, send: () => Promise<Response>): Promise<Response> {
  const rule = [...rules].findLast((one) => one.url.test(url));
  return rule ? rule.respond(send) : send();
}

/** Creates an error response like those of the gateway. */
export const makeProblem = (status: number, code: string, detail: string): Response =>
  Response.json(
    { code, status, detail, title: detail },
    { status, headers: { 'content-type': 'application/problem+json', 'x-error-code': code } },
  );
