/** A fetch that keeps cookies, as a browser does for one site. */
export function makeCookieFetch(): typeof fetch {
  const jar = new Map<string, string>();
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (/;\s*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}
