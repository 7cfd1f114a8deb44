import fc, { type Arbitrary } from 'fast-check';

const numberOf = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** The time of one of three campaigns, in ms. */
export const CAMPAIGN_MS = (numberOf('FUZZ_SECONDS', 10) * 1_000) / 3;
const SEED = numberOf('FUZZ_SEED', 1);
const RUNS = numberOf('FUZZ_RUNS', 100_000);
/** A failure may be made smaller for so long after its campaign should have ended, in ms. */
export const SHRINK_MS = 60_000;

export interface Campaign<T> {
  readonly title: string;
  readonly input: Arbitrary<T>;
  /** Rejects when what came of the input is not allowed. */
  readonly check: (input: T) => Promise<void>;
  /** The input in a form that can be sent again by hand. */
  readonly show: (input: T) => string;
}

/** Runs until time or runs are over; throws with the smallest input that failed. */
export async function campaign<T>({ title, input, check, show }: Campaign<T>): Promise<void> {
  const until = Date.now() + CAMPAIGN_MS;
  let runs = 0;
  let failed = false;
  const property = fc.asyncProperty(input, async (value) => {
    // The time is over. Once something failed, what remains is to make it smaller.
    if (Date.now() > (failed ? until + SHRINK_MS : until)) throw new fc.PreconditionFailure(true);
    runs += 1;
    try {
      await check(value);
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  const details = await fc.check(property, { numRuns: RUNS, seed: SEED, markInterruptAsFailure: false });
  console.log(`${title}: ${runs} runs`);
  if (!failed) return;
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  const [smallest] = details.counterexample ?? [];
  const repeated = smallest === undefined ? 'none was kept' : show(smallest);
  throw new Error(
    `${title}: ${reason}\nseed ${SEED}, path ${details.counterexamplePath ?? ''}, ${details.numShrinks} times made smaller\n${repeated}`,
  );
}
