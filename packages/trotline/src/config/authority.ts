import type { Place } from '@trotline/engine';
import type { LayerContent } from './content.ts';
import { shown } from './document.ts';
import type { Reporter } from './problem.ts';
import type { LayerName } from './types.ts';

/** One layer that applies. */
export interface LayerVoice {
  readonly name: LayerName;
  readonly content: LayerContent;
}

/** Strongest first. */
export const layerOrder: readonly LayerName[] = ['managed', 'flag', 'person', 'project'];

/** Says which of two things of one name stays, and why. The first is the stronger one's. */
export function refuseSame(
  late: { readonly name: string; readonly layer: LayerName; readonly place: Place },
  first: { readonly layer: LayerName; readonly place: Place },
  noun: string,
  report: Reporter,
): void {
  const name = shown(late.name);
  const where = first.place.file === undefined ? '' : `, ${first.place.file}:${first.place.line ?? 1}`;
  const owner = { managed: 'managed', flag: '--config', person: 'own', project: "project's" }[first.layer];
  if (late.layer === 'project')
    report.error('config.project-cannot-replace', late.place, {
      what: `The project's ${noun} "${name}" has the name of one in your ${owner} configuration${where}, which stays`,
      expected: 'a name that is not taken',
    });
  else if (first.layer === 'managed')
    report.warning('config.managed-stays', late.place, {
      what: `The ${noun} "${name}" has the name of a managed one${where}, which stays`,
    });
  else
    report.notice('config.replaced', late.place, {
      what: `The ${noun} "${name}" of the file given with --config${where} replaces this one`,
    });
}
