import { serveStdio } from 'nestjs-mcp/stdio';

await serveStdio(() => import('./app.module.js'));
