/** The whole environment of a database server: nothing of the caller's locale or PG* settings may leak in. */
export const SERVER_ENV = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
