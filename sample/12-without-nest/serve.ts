import { serveMcp } from 'nestjs-mcp';
import { AppModule } from '../01-weather/app.module.js';

const { url } = await serveMcp(AppModule, `127.0.0.1:${process.env['PORT'] ?? 0}`);
process.stdout.write(`listening on ${url}\n`);
