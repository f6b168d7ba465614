/** Tells whether a Host header names loopback. Refusing other names prevents DNS rebinding. */
export const isLoopbackName = (host = ''): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
