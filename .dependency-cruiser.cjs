// The arrows of the architecture. Each folder may import what stands to its left; siblings never.
//   engine:   kernel <- events <- engine
//   trotline: @trotline/engine . supervise, records, config -> ops, approvals -> dialects -> host
//             -> agent, adapters, bridges -> cli
const T = '^packages/trotline/src';
const layers = [
  ['supervise', 'records', 'config'],
  ['ops', 'approvals'],
  ['dialects/picoclaw', 'dialects/openclacky', 'dialects/mods', 'dialects/settings'],
  ['host'],
  ['agent', 'adapters', 'bridges'],
  ['cli'],
];
const forbidden = [
  { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'kernel-imports-nothing',
    severity: 'error',
    from: { path: '^packages/engine/src/kernel' },
    to: { pathNot: '^packages/engine/src/kernel' },
  },
  {
    name: 'events-import-kernel-only',
    severity: 'error',
    from: { path: '^packages/engine/src/events' },
    to: { pathNot: '^packages/engine/src/(kernel|events)' },
  },
  {
    name: 'engine-has-no-dependencies',
    severity: 'error',
    from: { path: '^packages/engine/src' },
    to: { pathNot: '^packages/engine/src' },
  },
];
layers.forEach((names, depth) => {
  for (const name of names) {
    const later = layers.slice(depth + 1).flat();
    const banned = [...names.filter((n) => n !== name), ...later];
    if (banned.length === 0) continue;
    forbidden.push({
      name: `${name.replace('/', '-')}-arrows`,
      comment: `${name} may import only what stands to its left, and no sibling`,
      severity: 'error',
      from: { path: `${T}/${name}/` },
      to: { path: `${T}/(${banned.join('|')})/` },
    });
  }
});
forbidden.push({
  name: 'nobody-imports-the-public-barrel',
  severity: 'error',
  from: { path: '^packages/[^/]+/src/.+/' },
  to: { path: '^packages/[^/]+/src/index\\.ts$' },
});
module.exports = {
  forbidden,
  options: {
    includeOnly: '^packages/[^/]+/src',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
