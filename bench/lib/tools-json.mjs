// Tool list as plain JSON Schema (no dependencies). TOOLS = total number of tools (>= 2).
export const TOOLS = Number(process.env.TOOLS ?? 2);

export const ECHO_TOOL = {
  name: 'echo',
  title: 'Echo',
  description: 'Returns the given text unchanged.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'Text to return' } },
    required: ['text'],
  },
};

export const ADD_TOOL = {
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: {
      a: { type: 'number', description: 'First addend' },
      b: { type: 'number', description: 'Second addend' },
    },
    required: ['a', 'b'],
  },
};

const NOUNS = ['invoice', 'customer', 'shipment', 'ticket', 'document', 'repository', 'deployment', 'incident'];
export const toolName = (i) => `search_${NOUNS[i % NOUNS.length]}s_${String(i).padStart(4, '0')}`;
export const toolDescription = (i) =>
  `Searches ${NOUNS[i % NOUNS.length]}s in workspace ${i} by free text, date range, status and owner, and returns a page of ` +
  `matches with their identifiers, titles and last change. Use it before any tool that needs a ${NOUNS[i % NOUNS.length]} id.`;

export function syntheticTool(i) {
  return {
    name: toolName(i),
    title: `Search ${NOUNS[i % NOUNS.length]}s`,
    description: toolDescription(i),
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 200, description: 'Free text to look for' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
          description: 'Largest number of matches to return',
        },
        status: {
          type: 'string',
          enum: ['open', 'pending', 'closed', 'archived'],
          description: 'Only matches in this state',
        },
        from: { type: 'string', description: 'Start of the date range, ISO 8601' },
        tags: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 20,
          description: 'All of these tags must be present',
        },
        includeArchived: { type: 'boolean', description: 'Also search what was archived' },
        sort: {
          type: 'object',
          properties: {
            field: { type: 'string', enum: ['created', 'updated', 'title'] },
            order: { type: 'string', enum: ['asc', 'desc'] },
          },
          required: ['field'],
          description: 'Order of the matches',
        },
        owner: { type: 'string', description: 'User id of the owner' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

export function buildTools(n = TOOLS) {
  const tools = [ECHO_TOOL, ADD_TOOL];
  for (let i = 2; i < n; i++) tools.push(syntheticTool(i));
  return tools;
}
