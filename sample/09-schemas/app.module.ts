import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { ArkTypeTools } from './trips/arktype.tools.js';
import { JsonSchemaTools } from './trips/json-schema.tools.js';
import { ResultTools } from './trips/results.tools.js';
import { ValibotTools } from './trips/valibot.tools.js';
import { ZodTools } from './trips/zod.tools.js';

@Module({
  imports: [McpModule.forRoot({ server: { name: 'trips', version: '1.0.0' }, allowedOrigins: [], guards: 'none' })],
  providers: [JsonSchemaTools, ZodTools, ValibotTools, ArkTypeTools, ResultTools],
})
export class AppModule {}
