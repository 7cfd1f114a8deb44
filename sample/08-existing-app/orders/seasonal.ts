import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectMcp, McpCatalog, type McpEntry } from 'nestjs-mcp';

/** Not a decorated method: a name, a schema, and a function. */
export const openingHours: McpEntry = {
  kind: 'tool',
  name: 'opening_hours',
  description: 'When the shop is open',
  mode: 'read-only',
  input: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  handler: ({ day }) => (day === 'Sunday' ? 'closed' : '9 to 18'),
};

/** Tools may come and go while the application runs; clients are told. */
@Injectable()
export class Seasonal implements OnApplicationBootstrap {
  constructor(@InjectMcp('public', McpCatalog) private readonly catalog: McpCatalog) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.catalog.add([{ kind: 'tool', name: 'winter_sale', handler: () => '20 % off all lamps' }]);
  }
}
