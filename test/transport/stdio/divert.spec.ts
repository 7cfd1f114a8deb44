import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../../src/transport/stdio/divert.ts', import.meta.url));

/** The module as one text that a plain process can import: diverting the test runner's own stdout would hide its report. */
async function compiled(): Promise<string> {
  const built = await build({
    logLevel: 'silent',
    configFile: false,
    build: { write: false, ssr: source, rollupOptions: { output: { format: 'es' } } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('nothing was built');
  return chunk.code;
}

describe('divertStdout', () => {
  it('leaves stdout to the transport alone', async () => {
    const script = `${await compiled()}
      const real = divertStdout();
      if (divertStdout() !== real) throw new Error('diverted twice');
      console.log('log'); console.info('info'); console.debug('debug'); console.table(['table']);
      process.stdout.write('stray');
      real.write('{"jsonrpc":"2.0"}\\n');`;
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout).toBe('{"jsonrpc":"2.0"}\n');
    for (const word of ['log', 'info', 'debug', 'table', 'stray']) expect(stderr).toContain(word);
  });
});
