/** The version of the terms of service in force: the day they were published. It is stored with each acceptance. */
export const termsVersion = '2026-11-01';
