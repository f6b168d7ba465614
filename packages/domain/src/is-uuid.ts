const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL would take the text as an id; asking it with any other text is an error. */
export const isUuid = (text: string): boolean => uuid.test(text);
