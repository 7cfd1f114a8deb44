import { Injectable } from '@nestjs/common';

@Injectable()
export class Tables {
  private readonly held = new Set<number>();

  /** Keeps the lowest free table. */
  hold(guests: number): number {
    let table = guests > 4 ? 10 : 1;
    while (this.held.has(table)) table += 1;
    this.held.add(table);
    return table;
  }

  release(table: number): void {
    this.held.delete(table);
  }
}
