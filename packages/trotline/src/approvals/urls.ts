/** Every spelling of an address that a deny may have been written for; an allow has to match them all. */
export function urlSpellings(text: string): readonly string[] {
  try {
    const url = new URL(text);
    const bare = new URL(url);
    bare.username = bare.password = '';
    return [...new Set([text, url.href, bare.href])];
  } catch {
    return [text];
  }
}
