import * as z from 'zod';
import { customNamePattern, customPrefix, engineNames, requestedEngines } from '../policy/images/engines.ts';

export const customEngineSchema = z.templateLiteral([customPrefix, z.string().regex(customNamePattern)]);

/** Engine that runs a job: a built-in one, or `custom:` and the name of a custom model. */
export const jobEngineSchema = z.union([z.enum(engineNames), customEngineSchema]);
/** Engine that a request may name. */
export const requestedEngineSchema = z.union([z.enum(requestedEngines), customEngineSchema]);
