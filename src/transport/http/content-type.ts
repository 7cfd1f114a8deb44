/** True for `application/json`, in any case, with charset utf-8 or none; other parameters do not matter. */
export function isJson(header: string | undefined): boolean {
  if (header === 'application/json') return true;
  if (header === undefined) return false;
  const [type = '', ...parameters] = header.split(';');
  if (type.trim().toLowerCase() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const match = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter);
    return match === null || /^utf-?8$/i.test(match[1] ?? '');
  });
}

/** True when the body is coded in a way that this transport does not undo. */
export function isEncoded(header: string | undefined): boolean {
  return header !== undefined && header.trim() !== '' && header.trim().toLowerCase() !== 'identity';
}
