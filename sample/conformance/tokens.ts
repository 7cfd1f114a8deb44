/** Injection token of the options from the command line. */
export const OPTIONS = Symbol('conformance options');
