import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule, { forceCloseConnections: true });
app.enableShutdownHooks();
await app.listen(process.env['PORT'] ?? 3000, '127.0.0.1');
