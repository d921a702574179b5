import type { World } from './world.js';

/** What the person at the terminal reads once everything runs. */
export function demoGuide({ world, seed, folder }: { world: World; seed: number; folder: string }): string {
  const lines = [
    'Open the sign-in link above. In the next minute:',
    '  Feed          posts arrive live from 30 feeds; some feeds fail, move or are slow',
    '  Leads         a search for bakeries runs after 3 seconds, one for bookshops a little later',
    '  Imports       40 village archives are brought in after 7 seconds; one of them fails',
    '  Publish       posts go out every few seconds; Facebook has room for 4 a minute, and runs out',
    '  Dead letters  three things failed; replay the proof sheet and the village, and they succeed',
    '  Health        shows how it all fares',
    '',
    `The world, with the walls of its platforms: ${world.url}`,
    `Seed ${seed} (MILLRACE_DEMO_SEED); another one makes another world. Data is in ./${folder}, emptied at every start.`,
    'Ctrl+C stops everything.',
  ];
  return `${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}
