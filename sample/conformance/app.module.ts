import { fileURLToPath } from 'node:url';
import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { BearerGuard } from './auth/bearer.guard.js';
import { MetadataController } from './auth/metadata.controller.js';
import { originOf } from './endpoint.js';
import { FailureFixtures } from './fixtures/failure.fixtures.js';
import { OutputFixtures } from './fixtures/output.fixtures.js';
import { SchemaFixtures } from './fixtures/schema.fixtures.js';
import { TimeFixtures } from './fixtures/time.fixtures.js';
import type { ConformanceOptions } from './options.js';
import { Completions } from './completions.js';
import { Prompts } from './prompts.js';
import { Resources } from './resources.js';
import { OPTIONS } from './tokens.js';
import { BasicTools } from './tools/basic.tools.js';
import { ChangeTools } from './tools/change.tools.js';
import { ContentTools } from './tools/content.tools.js';
import { ConversationTools } from './tools/conversation.tools.js';
import { ElicitationTools } from './tools/elicitation.tools.js';
import { RoundTools } from './tools/round.tools.js';
import { SchemaTools } from './tools/schema.tools.js';
import { StreamTools } from './tools/stream.tools.js';
import { TaskTools } from './tools/task.tools.js';

const TOOLS = [
  BasicTools,
  ContentTools,
  StreamTools,
  ConversationTools,
  ElicitationTools,
  RoundTools,
  SchemaTools,
  TaskTools,
  ChangeTools,
];
const FIXTURES = [SchemaFixtures, OutputFixtures, FailureFixtures, TimeFixtures];

/** Read where they lie in the repository: this file runs compiled, from `build/sample/conformance`. */
const SKILLS = fileURLToPath(new URL('../../../sample/conformance/skills', import.meta.url));

@Module({})
export class AppModule {
  static for(options: ConformanceOptions): DynamicModule {
    const isProtected = options.token !== undefined;
    return {
      module: AppModule,
      imports: [
        McpModule.forRoot({
          server: { name: 'conformance', version: '1.0.0', title: 'Conformance fixtures' },
          allowedOrigins: [originOf(options), `http://localhost:${options.port}`, ...options.origins],
          guards: isProtected ? [BearerGuard] : 'none',
          skills: { directory: SKILLS },
          ...(options.sessions === 'stateless' ? { sessions: options.sessions } : {}),
        }),
      ],
      controllers: isProtected ? [MetadataController] : [],
      providers: [{ provide: OPTIONS, useValue: options }, Resources, Prompts, Completions, ...TOOLS, ...FIXTURES],
    };
  }
}
