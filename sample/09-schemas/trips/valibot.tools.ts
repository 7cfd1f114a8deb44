import { Injectable } from '@nestjs/common';
import { McpTool } from 'nestjs-mcp';
import * as v from 'valibot';

const Query = v.object({
  prefix: v.pipe(v.string(), v.minLength(2)),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 5),
});

@Injectable()
export class ValibotTools {
  @McpTool({ name: 'find_station', description: 'Finds stations by name', mode: 'read-only', input: Query })
  find({ prefix, limit }: v.InferOutput<typeof Query>): string {
    const stations = ['Bremen', 'Brest', 'Bruges', 'Brussels'];
    return stations
      .filter((name) => name.startsWith(prefix))
      .slice(0, limit)
      .join(', ');
  }
}
