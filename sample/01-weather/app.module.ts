import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { WeatherService } from './weather.service.js';

@Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'weather', version: '1.0.0' },
      allowedOrigins: [], // no web page may call
      guards: 'none', // whoever reaches the port may call
    }),
  ],
  providers: [WeatherService],
})
export class AppModule {}
