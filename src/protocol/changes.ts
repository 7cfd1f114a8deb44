/** Something changed that clients may have asked to hear of. Plain data: a bus may carry it to other instances. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }
  /** A task moved to another status, or asks for input. */
  | { readonly kind: 'task'; readonly id: string };

export type ChangeListener = (change: Change) => void;

/**
 * Carries changes to everything that tells clients about them: the streams of this process and, with an adapter, those
 * of other instances (SUB-19).
 */
export interface ChangeBus {
  /** Reaches every listener, this process's own included; a listener that throws does not keep it from the others. */
  publish(change: Change): void | Promise<void>;
  /** Answers with the function that ends the subscription. */
  subscribe(listener: ChangeListener): () => void;
}
