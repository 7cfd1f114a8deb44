import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { built, clientOf, listen, MODES, overHttp, startSample, textOf, until } from './sample-process.js';

describe('the testing sample', () => {
  it('passes in every revision, by the test runner of Node', () => {
    const { status, stdout } = spawnSync(process.execPath, ['--test', built('11-testing/notes.test.js')], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/# pass 7\n/);
    expect(stdout).toMatch(/# fail 0\n/);
    expect(status).toBe(0);
  });
});

describe('the sample without an application', () => {
  it.each(MODES)('serves functions on node:http to a %s client', async (mode) => {
    const sample = await listen('12-without-nest/main.js');
    const client = await overHttp(clientOf(mode), `${sample.origin}/mcp`);
    expect(textOf(await client.callTool({ name: 'now' }))).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await client.close();
    await sample.stop();
  });

  it('serves a module at an address', async () => {
    const sample = startSample('12-without-nest/serve.js', [], { PORT: '0' });
    await until(sample, () => /^listening on \S+\n/m.test(sample.stdout()));
    const [, url = ''] = /^listening on (\S+)/m.exec(sample.stdout()) ?? [];
    const client = await overHttp(clientOf('modern'), url);
    expect(textOf(await client.callTool({ name: 'current', arguments: { place: 'Lima' } }))).toBe('Lima: 18 °C');
    await client.close();
    await sample.stop();
  });
});
