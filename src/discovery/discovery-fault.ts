/** Why a declared handler cannot be offered. The explorer reports it beside `Class.method`. */
export class DiscoveryFault extends Error {
  override readonly name = 'DiscoveryFault';
}
