const heading = '/** Generated from the API contracts by `npm run generate:mcp`. Do not edit. */\n';

/** Makes the text of a constant. `description`: a sentence. */
export const printConstant = (description: string, name: string, value: unknown): string =>
  `/** ${description} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;

/** Makes the text of a file from its constants. */
export const printFile = (...constants: string[]): string => `${heading}\n${constants.join('\n')}`;
