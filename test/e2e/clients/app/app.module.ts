import { Module, type Type } from '@nestjs/common';
import { McpModule, type McpModuleOptions } from 'nestjs-mcp';
import { CallerGuard } from './caller.guard.js';
import { Changes } from './changes.js';
import { Interviewer } from './interviewer.js';
import { Library } from './library.js';
import { Streams } from './streams.js';

/** The application that every client of these tests meets, over HTTP and stdio. */
export function libraryModule(options: Partial<McpModuleOptions> = {}): Type {
  @Module({
    imports: [
      McpModule.forRoot({
        server: { name: 'library', version: '1.0.0', instructions: 'Ask for a volume' },
        allowedOrigins: [],
        guards: [CallerGuard],
        ...options,
      }),
    ],
    providers: [Library, Interviewer, Changes, Streams],
  })
  class LibraryModule {}
  return LibraryModule;
}

export const AppModule = libraryModule();
