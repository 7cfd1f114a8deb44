import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';

const LIFETIME_MS = 300_000;
const MOST = 1_000;

/** Proofs that a question was put: each is good once, for what it was issued for. */
@Injectable()
export class Nonces {
  private readonly issued = new Map<string, { readonly subject: string; readonly until: number }>();

  issue(subject: string): string {
    const [oldest] = this.issued.keys();
    if (oldest !== undefined && this.issued.size >= MOST) this.issued.delete(oldest);
    const nonce = randomUUID();
    this.issued.set(nonce, { subject, until: Date.now() + LIFETIME_MS });
    return nonce;
  }

  spend(nonce: string, subject: string): boolean {
    const issued = this.issued.get(nonce);
    if (issued?.subject !== subject) return false;
    this.issued.delete(nonce);
    return Date.now() < issued.until;
  }
}
