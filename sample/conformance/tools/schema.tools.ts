import { Injectable } from '@nestjs/common';
import { McpArg, McpTool } from 'nestjs-mcp';

/** Written by hand, so it is listed as it stands. */
const CONTACT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

@Injectable()
export class SchemaTools {
  @McpTool({ name: 'json_schema_2020_12_tool', description: 'Takes a contact', input: CONTACT })
  contact(): string {
    return 'The contact fits its schema.';
  }

  @McpTool({ name: 'test_x_mcp_header', description: 'Has an argument that travels in a header too' })
  mirrored(
    @McpArg('region', { required: false, schema: { type: 'string', 'x-mcp-header': 'Region' } }) region?: string,
    @McpArg('note', { required: false }) note?: string,
  ): string {
    return `region=${region ?? ''}, note=${note ?? ''}`;
  }
}
