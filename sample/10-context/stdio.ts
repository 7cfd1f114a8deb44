import { serveStdio } from 'nestjs-mcp/stdio';

// Loaded by a function, so that nothing a module prints while it loads can reach stdout.
await serveStdio(() => import('./app.module.js'));
