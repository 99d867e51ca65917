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
for (const name of ['engine', 'trotline']) {
  forbidden.push({
    name: `${name}-does-not-import-its-own-entry`,
    severity: 'error',
    from: { path: `^packages/${name}/src/.+/` },
    to: { path: `^packages/${name}/src/index\\.ts$` },
  });
}
// Another package is reached by its name, never by a path into it: only its public entries resolve.
forbidden.push({
  name: 'engine-by-its-entries-only',
  severity: 'error',
  from: { path: '^packages/trotline/src' },
  to: { path: '^packages/engine/src/', pathNot: '^packages/engine/src/(index|kernel/index)\\.ts$' },
});
module.exports = {
  forbidden,
  options: {
    exclude: '/dist/',
    doNotFollow: 'node_modules',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
