import { divertStdout } from './transport/stdio/divert.js';

/** The real stdout. Evaluated before anything else that `nestjs-mcp/stdio` imports could print. */
export const stdout = divertStdout();
