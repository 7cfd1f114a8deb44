import { expect, it } from 'vitest';
import { loadOptional } from '../../src/schema/optional-packages.js';
import { SchemaFault } from '../../src/schema/schema-fault.js';

it('an optional package that is not installed is named, with what needs it', () => {
  const load = (): unknown => loadOptional('nestjs-mcp-absent-package', 'a DTO class');
  expect(load).toThrow(SchemaFault);
  expect(load).toThrow('a DTO class needs the package nestjs-mcp-absent-package: install it');
});

it('an optional package that is installed is the one the application imports', async () => {
  const { IsString } = await import('class-validator');
  expect(loadOptional<{ IsString: unknown }>('class-validator', 'a DTO class').IsString).toBe(IsString);
});
