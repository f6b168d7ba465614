/** Servers that the caller wants the tests to use, instead of their own. */
export function givenServices(): { databaseUrl: string | undefined; redisUrl: string | undefined } {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  return { databaseUrl: TEST_DATABASE_URL || undefined, redisUrl: TEST_REDIS_URL || undefined };
}

/** Where the Docker engine is asked for, as its own client does it. */
export function dockerHost(): string {
  return process.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
}
