// One entry per contestant. cmd: the server's command line ({port} is replaced; PORT and TOOLS are in its environment);
// session: the client initializes and sends Mcp-Session-Id; era: '2026-07-28' sends the stateless envelope instead.
const node = (file, env = {}, more = {}) => ({ cmd: ['node', file], env, ...more });
const ours = (env, more) => node('servers/nestjs-mcp.mjs', env, more);
const bare = (env, more) => node('servers/nest-bare.mjs', env, more);
const peer = (file, env, more) => node(`peers/servers/${file}.mjs`, env, { ...more, peer: true });
const MODERN = { era: '2026-07-28' };

export const contestants = {
  'raw-http': node('servers/raw-http.mjs'),
  'nest-express': bare({ PLATFORM: 'express' }),
  'nest-express-res': bare({ PLATFORM: 'express', MODE: 'res', CACHED: '1' }),
  'nest-fastify': bare({ PLATFORM: 'fastify' }),
  'nest-fastify-res': bare({ PLATFORM: 'fastify', MODE: 'res', CACHED: '1' }),
  'ours-express': ours({ PLATFORM: 'express' }),
  'ours-express-modern': ours({ PLATFORM: 'express' }, MODERN),
  'ours-express-sessions': ours({ PLATFORM: 'express', SESSIONS: 'memory' }, { session: true }),
  'ours-express-sessions-modern': ours({ PLATFORM: 'express', SESSIONS: 'memory' }, MODERN),
  'ours-express-visible': ours({ PLATFORM: 'express', VISIBLE: '1' }),
  'ours-fastify': ours({ PLATFORM: 'fastify' }),
  'ours-fastify-modern': ours({ PLATFORM: 'fastify' }, MODERN),
  'ours-fastify-sessions': ours({ PLATFORM: 'fastify', SESSIONS: 'memory' }, { session: true }),
  'sdk1-stateless': peer('sdk1', { MODE: 'stateless' }),
  'sdk1-stateless-json': peer('sdk1', { MODE: 'stateless', JSON: '1' }),
  'sdk1-stateful': peer('sdk1', { MODE: 'stateful' }, { session: true }),
  'sdk2-express': peer('sdk2', { MODE: 'stateless' }),
  'sdk2-express-modern': peer('sdk2', { MODE: 'stateless' }, MODERN),
  'sdk2-stateful': peer('sdk2', { MODE: 'stateful' }, { session: true }),
  'mcp-nest-stateless': peer('mcp-nest', { MODE: 'stateless' }),
  'mcp-nest-modern': peer('mcp-nest', { MODE: 'stateless' }, MODERN),
  'mcp-nest-fastify': peer('mcp-nest', { MODE: 'stateless', PLATFORM: 'fastify' }),
  'mcp-nest-stateful': peer('mcp-nest', { MODE: 'stateful' }, { session: true }),
  'fastmcp-stateless': peer('fastmcp', { MODE: 'stateless' }),
  'fastmcp-stateful': peer('fastmcp', { MODE: 'stateful' }, { session: true }),
};

export const stdioContestants = {
  'raw-stdio': node('servers/raw-stdio.mjs'),
  'ours-stdio': ours({ MODE: 'stdio' }),
  'sdk1-stdio': peer('sdk1', { MODE: 'stdio' }),
  'sdk2-stdio': peer('sdk2', { MODE: 'stdio' }),
  'mcp-nest-stdio': peer('mcp-nest', { MODE: 'stdio' }),
  'fastmcp-stdio': peer('fastmcp', { MODE: 'stdio' }),
};

for (const set of [contestants, stdioContestants]) for (const [name, entry] of Object.entries(set)) entry.name = name;
