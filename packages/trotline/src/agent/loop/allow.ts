/** Whether a tool's name is on a list of names and `*` patterns. No list allows all. */
export function allowList(names: readonly string[] | undefined): (tool: string) => boolean {
  if (names === undefined) return () => true;
  const patterns = names.map((name) => new RegExp(`^${name.split('*').map(escaped).join('.*')}$`, 's'));
  return (tool) => patterns.some((pattern) => pattern.test(tool));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
