import { readOptions, USAGE, type ConformanceOptions } from './options.js';

function optionsOrExit(): ConformanceOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(USAGE);
    process.exit(2);
  }
}

const options = optionsOrExit();
if (options.stdio) {
  // Loaded only now: importing the entry for stdio points everything printed to stderr.
  const { serveStdio } = await import('nestjs-mcp/stdio');
  await serveStdio(async () => (await import('./app.module.js')).AppModule.for(options));
} else {
  const { serveHttp } = await import('./host/serve-http.js');
  console.log(`listening on ${await serveHttp(options)}`);
}
