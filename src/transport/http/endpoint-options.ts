import type { ProtocolServer } from '../../protocol/call.js';
import type { McpLogger } from '../../protocol/logger.js';
import type { Sessions } from '../../session/sessions.js';

export interface HttpLimits {
  /** Bytes of one body. */
  readonly bodyBytes: number;
  /** Deadline for a whole body, in ms. */
  readonly bodyTimeoutMs: number;
  /** Messages of one 2025-03-26 batch. */
  readonly batchItems: number;
  /** Bodies of unknown length are refused with 411. */
  readonly requireContentLength: boolean;
}

export interface EndpointOptions {
  readonly server: ProtocolServer;
  readonly logger: McpLogger;
  readonly limits: HttpLimits;
  /** Absent: handshake revisions are served without sessions. */
  readonly sessions?: Sessions;
  /** Judges the exact bytes before they are decoded; false or a throw refuses. */
  readonly rawBody?: (request: object, bytes: Buffer) => unknown;
  /** Time between comments on a quiet stream, in ms. Default 15,000. */
  readonly keepAliveMs?: number;
  /** How long running calls may go on at shutdown, in ms. Default 5,000. */
  readonly drainMs?: number;
  /** Event streams open at once, over all clients. Default 10,000. */
  readonly maxStreams?: number;
}
