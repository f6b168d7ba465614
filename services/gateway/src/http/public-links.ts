import { errorPage } from '@uprez/contracts/texts/pages';
import type { Config } from '../config.ts';

/** Links that leave the product begin with its public address, never with what a request calls it. */
export const absoluteUrl = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, path: string): string =>
  PUBLIC_URL.replace(/\/+$/, '') + path;

/** Where an error code is explained. */
export const documentationUrl = (config: Pick<Config, 'PUBLIC_URL'>, code: string): string =>
  absoluteUrl(config, errorPage(code));
