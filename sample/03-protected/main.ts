import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { HOST, PORT } from './config.js';

const app = await NestFactory.create(AppModule, { forceCloseConnections: true });
app.enableShutdownHooks();
await app.listen(PORT, HOST);
