/**
 * @typedef {{ name: string, peer: string, value: number, unit: string, ratio: number }} Row
 *   `ratio` is ours divided by the peer's: under 1 we are faster, or smaller.
 * @typedef {{ compare: typeof compare }} Measure
 */

const rounds = 40;
const roundMs = 8;

/** How often a case runs in one round, so that a round lasts about `roundMs`. */
async function calibrate(run) {
  for (let count = 1; ; count *= 2) {
    const began = performance.now();
    for (let i = 0; i < count; i++) await run();
    const took = performance.now() - began;
    if (took > roundMs) return Math.max(1, Math.round((count * roundMs) / took));
  }
}

/**
 * Times cases against each other. Each case is awaited as its user would. The rounds are interleaved, so that what else
 * the machine does strikes all alike, and the fastest round of each counts: noise only ever adds.
 * @param {string} name what is measured
 * @param {string} ours which case is ours
 * @param {Record<string, () => unknown>} cases
 * @returns {Promise<Row[]>}
 */
export async function compare(name, ours, cases) {
  const peers = Object.keys(cases);
  const counts = {};
  const best = {};
  for (const peer of peers) {
    await calibrate(cases[peer]);
    counts[peer] = await calibrate(cases[peer]);
    best[peer] = Number.POSITIVE_INFINITY;
  }
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) {
      const run = cases[peer];
      const began = performance.now();
      for (let i = 0; i < counts[peer]; i++) await run();
      best[peer] = Math.min(best[peer], ((performance.now() - began) * 1000) / counts[peer]);
    }
  }
  return peers.map((peer) => ({ name, peer, value: best[peer], unit: 'µs', ratio: best[ours] / best[peer] }));
}
