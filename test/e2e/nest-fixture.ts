import {
  Body,
  Controller,
  Injectable,
  Module,
  Post,
  type DynamicModule,
  type Provider,
  type Type,
} from '@nestjs/common';
import { McpModule, McpTool, type McpModuleOptions } from 'nestjs-mcp';

@Injectable()
export class Echo {
  @McpTool({ input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } })
  echo({ text }: { text: string }): string {
    return text;
  }
}

/** A route of the host's own, whose body is the host's to parse. */
@Controller('plain')
export class Plain {
  @Post()
  echo(@Body() body: unknown): unknown {
    return { body };
  }
}

/** A server without guards or sessions, for tests that are about something else. */
export const OPEN = {
  server: { name: 'test', version: '1.0.0' },
  allowedOrigins: [],
  guards: 'none',
  sessions: 'stateless',
} satisfies McpModuleOptions;

export interface HostParts {
  readonly options?: Partial<McpModuleOptions>;
  readonly extras?: { readonly path?: string; readonly name?: string; readonly include?: readonly Type[] };
  readonly providers?: readonly Provider[];
  readonly imports?: readonly (Type | DynamicModule)[];
  readonly controllers?: readonly Type[];
}

/** An application with one server, the tool `echo` and the route `plain`. */
export function hostModule({ options, extras, providers = [], imports = [], controllers = [] }: HostParts = {}): Type {
  @Module({
    imports: [McpModule.forRoot({ ...OPEN, ...options, ...extras }), ...imports],
    controllers: [Plain, ...controllers],
    providers: [Echo, ...providers],
  })
  class Host {}
  return Host;
}
