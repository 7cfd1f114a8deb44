import { Injectable } from '@nestjs/common';
import { McpTool } from 'nestjs-mcp';
import { type } from 'arktype';

const Journey = type({ kilometres: 'number > 0', class: '"first" | "second"' });

@Injectable()
export class ArkTypeTools {
  @McpTool({ name: 'fare', description: 'What a journey costs, in euros', mode: 'read-only', input: Journey })
  fare(journey: typeof Journey.infer): string {
    const perKilometre = journey.class === 'first' ? 0.3 : 0.2;
    return `${(journey.kilometres * perKilometre).toFixed(2)} €`;
  }
}
