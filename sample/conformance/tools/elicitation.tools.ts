import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpCtx, McpTool } from 'nestjs-mcp';
import { describeOutcome } from './answers.js';

const titled = (values: readonly [string, string][]) => values.map(([value, title]) => ({ const: value, title }));

const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED = titled([
  ['value1', 'First Option'],
  ['value2', 'Second Option'],
  ['value3', 'Third Option'],
]);

/** Forms for the user, one for each kind of field there is. */
@Injectable()
export class ElicitationTools {
  @McpTool({ name: 'test_elicitation', description: 'Asks the user for name and e-mail' })
  async elicitation(@McpArg('message') message: string, @McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit({
      message,
      schema: {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      },
    });
    return `User response: ${describeOutcome(outcome)}`;
  }

  @McpTool({ name: 'test_elicitation_sep1034_defaults', description: 'Asks with a default for each field' })
  async defaults(@McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit({
      message: 'Please review the defaults',
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      },
    });
    return `Elicitation completed: ${describeOutcome(outcome)}`;
  }

  @McpTool({ name: 'test_elicitation_sep1330_enums', description: 'Asks with each kind of choice' })
  async enums(@McpCtx() context: McpContext): Promise<string> {
    const outcome = await context.elicit({
      message: 'Please choose',
      schema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: OPTIONS },
          titledSingle: { type: 'string', oneOf: TITLED },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
          titledMulti: { type: 'array', items: { anyOf: TITLED } },
        },
      },
    });
    return `Elicitation completed: ${describeOutcome(outcome)}`;
  }
}
