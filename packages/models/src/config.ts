import { join, resolve } from 'node:path';

/**
 * Returns the folder with the converted models: MODELS_DIR, else DATA_DIR/models, else .data/models in the working
 * directory.
 */
export const modelsDirOfEnvironment = (): string =>
  resolve(process.env.MODELS_DIR || join(process.env.DATA_DIR || '.data', 'models'));

/** Returns the environment variable that `${NAME}` in an `.npmrc` file refers to. */
export const findVariable = (name: string): string | undefined => process.env[name];
