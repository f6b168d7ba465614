import { readFileSync } from 'node:fs';
import { mimeTypes, outputFormats } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { printConstant, printFile } from './print-constant.ts';
import { instructions } from './tool-texts.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const { mcpImageBytes, mcpImageSide, waitSeconds, maxWaitSeconds, downloadLinkMinutes, jsonImageBytes } = limits;

/** Makes the text of `facts.ts`. */
export const makeFacts = (): string =>
  printFile(
    printConstant('Version of this package.', 'version', version),
    printConstant('What assistants read about the server.', 'instructions', instructions),
    printConstant('Limits in bytes, pixels, seconds, and minutes.', 'limits', {
      ...{ mcpImageBytes, mcpImageSide, waitSeconds, maxWaitSeconds, downloadLinkMinutes, jsonImageBytes },
    }),
    printConstant(
      'Media types by format.',
      'mediaTypes',
      Object.fromEntries(outputFormats.map((name) => [name, mimeTypes[name]])),
    ),
  );
