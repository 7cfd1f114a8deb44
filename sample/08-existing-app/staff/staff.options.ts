import { allow, confirm, type McpModuleOptions } from 'nestjs-mcp';
import type { Settings } from './settings.module.js';
import { StaffGuard } from './staff.guard.js';

/** Read when the application starts, from what it provides. */
export function staffOptions(settings: Settings): McpModuleOptions {
  return {
    server: { name: 'shop-staff', version: '1.0.0' },
    allowedOrigins: settings.origins,
    guards: [StaffGuard],
    // Every destructive tool asks the user first, whatever its author thought of.
    gate: (_context, tool) => (tool.mode === 'destructive' ? confirm(`Really run ${tool.name}?`) : allow),
    // What is hidden is hidden from lists and calls alike.
    visibility: (entry, { clientInfo }) => entry.key !== 'staff_rota' || clientInfo?.name !== 'kiosk',
  };
}
