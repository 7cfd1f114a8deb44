import { Injectable } from '@nestjs/common';
import { McpArg, McpResource, McpTool, McpToolError } from 'nestjs-mcp';

@Injectable()
export class WeatherService {
  private readonly celsius = new Map([
    ['Berlin', 21],
    ['Lima', 18],
    ['Oslo', 9],
  ]);

  @McpTool({ description: 'Current temperature at a place', mode: 'read-only' })
  current(@McpArg('place', { description: 'Name of a city, e.g. Berlin' }) place: string): string {
    const degrees = this.celsius.get(place);
    if (degrees === undefined) throw new McpToolError('No station there. Read weather://places for those there are.');
    return `${place}: ${degrees} °C`;
  }

  @McpResource({ uri: 'weather://places', description: 'Places with a station', mimeType: 'text/plain' })
  places(): string {
    return [...this.celsius.keys()].join('\n');
  }
}
