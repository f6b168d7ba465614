/** The environment this process was started with, for programs that need the user's own settings (PATH, proxies). */
export function hostEnv(): NodeJS.ProcessEnv {
  return process.env;
}
