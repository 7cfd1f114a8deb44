// Echo calls over a pipe, a window of them in flight; every answer is checked.
export class StdioClient {
  constructor(server) {
    this.server = server;
    this.io = server.child;
    this.noise = 0;
    let rest = '';
    this.io.stdout.setEncoding('utf8');
    this.io.stdout.on('data', (data) => {
      const lines = (rest + data).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line[0] === '{') this.onMessage?.(JSON.parse(line));
        else if (line) this.noise++; // not a protocol line: counted, reported
      }
    });
  }

  put(message) {
    this.io.stdin.write(JSON.stringify(message) + '\n');
  }

  exchange(start) {
    return new Promise((resolve, reject) => {
      this.server.exited.then(() => reject(new Error('exited')));
      start(resolve, reject);
    });
  }

  async initialize() {
    await this.exchange((resolve, reject) => {
      this.onMessage = (m) => (m.id === 0 && m.result ? resolve() : reject(new Error(JSON.stringify(m))));
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
      this.put({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    });
    this.put({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  echo(calls, from, window = 256, text = 'hello, world') {
    return this.exchange((resolve, reject) => {
      let next = from;
      let got = 0;
      const one = () => {
        if (next >= from + calls) return;
        const params = { name: 'echo', arguments: { text } };
        this.put({ jsonrpc: '2.0', id: next++, method: 'tools/call', params });
      };
      this.onMessage = (m) => {
        if (m.id === undefined) return;
        if (m.id < from || m.id >= from + calls || m.result?.content?.[0]?.text !== text) {
          reject(new Error(JSON.stringify(m)));
          return;
        }
        if (++got === calls) resolve();
        else one();
      };
      for (let i = 0; i < window; i++) one();
    });
  }
}
