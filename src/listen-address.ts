import { isIPv6 } from 'node:net';

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
const ADDRESS = /^(?:(?:\[([^\]]+)\]|([^:[\]/\s]*)):)?(\d{1,5})$/;

/** Reads `host:port`, `[ipv6]:port`, `:port` or `port`; without a host it is 127.0.0.1. Throws a `TypeError`. */
export function readAddress(address: string): ListenAddress {
  const [, ipv6, name, digits] = ADDRESS.exec(address) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535 || (ipv6 !== undefined && !isIPv6(ipv6))) {
    throw new TypeError('The address must be host:port, such as 127.0.0.1:3000, [::1]:3000 or :0');
  }
  return { host: ipv6 ?? (name === undefined || name === '' ? LOOPBACK : name), port };
}

/** The host as a client on this machine can call it: an address that means every interface means none in particular. */
export function shownHost(host: string): string {
  if (host === '0.0.0.0') return LOOPBACK;
  if (!isIPv6(host)) return host;
  return /^[0:]+$/.test(host) ? '[::1]' : `[${host}]`;
}
