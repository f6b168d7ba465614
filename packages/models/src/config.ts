import { join, resolve } from 'node:path';

/**
 * Returns the folder of the converted models: MODELS_DIR, else DATA_DIR/models, else .data/models below the current
 * folder.
 */
export const modelsDirOfEnvironment = (): string =>
  resolve(process.env.MODELS_DIR || join(process.env.DATA_DIR || '.data', 'models'));

/** Returns an environment variable, for `${NAME}` in an `.npmrc` file. */
export const findVariable = (name: string): string | undefined => process.env[name];
