import { Injectable } from '@nestjs/common';
import { McpArg, McpTool } from 'nestjs-mcp';

@Injectable()
export class JsonSchemaTools {
  // One JSON Schema for all arguments: it is listed exactly as written here.
  @McpTool({
    name: 'reserve_seats',
    description: 'Reserves seats in a train',
    mode: 'additive',
    input: {
      type: 'object',
      properties: {
        train: { type: 'string', pattern: '^[A-Z]{2,3} [0-9]+$', description: 'e.g. ICE 577' },
        seats: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, uniqueItems: true },
      },
      required: ['train', 'seats'],
      additionalProperties: false,
    },
  })
  reserve({ train, seats }: { train: string; seats: readonly number[] }): string {
    return `Reserved ${seats.join(', ')} in ${train}.`;
  }

  // Or one for each parameter. A plain parameter takes its schema from its TypeScript type.
  @McpTool({ name: 'departures', description: 'Next departures from a station', mode: 'read-only' })
  departures(
    @McpArg('station') station: string,
    @McpArg('count', { schema: { type: 'integer', minimum: 1, maximum: 20 } }) count = 3,
  ): string {
    return `${count} trains leave ${station} within the hour.`;
  }
}
