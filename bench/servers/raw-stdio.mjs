// The limit for stdio: split lines, JSON.parse, fixed-shape answer, one write per message.
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (d) => {
  const lines = (rest + d).split('\n');
  rest = lines.pop();
  for (const l of lines) {
    const m = JSON.parse(l);
    if (m.id === undefined) continue;
    const result =
      m.method === 'initialize'
        ? {
            protocolVersion: m.params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'bench', version: '1.0.0' },
          }
        : { content: [{ type: 'text', text: m.params.arguments.text }] };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, result }) + '\n');
  }
});
