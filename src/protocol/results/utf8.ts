/** Bytes of well-formed text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    // The two halves of a surrogate pair are four bytes together.
    else if (unit >= 0xd800 && unit < 0xe000) bytes += 1;
    else bytes += 2;
  }
  return bytes;
}

/** Whether the text is longer than some bytes, without counting where its length says enough. */
export function exceedsUtf8(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && utf8Length(text) > bytes;
}
