/** A schema that cannot be used. The message names the keyword, property or package; discovery adds `Class.method`. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
