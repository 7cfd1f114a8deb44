import { Injectable } from '@nestjs/common';
import { McpTool } from 'nestjs-mcp';
import { z } from 'zod';

const Trip = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  passengers: z.int().min(1).max(9).default(1),
});

const Plan = z.object({ legs: z.array(z.string()), passengers: z.int() });

@Injectable()
export class ZodTools {
  // The method gets what zod made of the arguments: the default is filled in, and the type is inferred.
  @McpTool({ name: 'plan_trip', description: 'Plans a trip by train', mode: 'read-only', input: Trip, output: Plan })
  plan({ from, to, passengers }: z.output<typeof Trip>): z.output<typeof Plan> {
    return { legs: [`${from} – Hannover`, `Hannover – ${to}`], passengers };
  }
}
