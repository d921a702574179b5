import type { World } from './world.js';

interface GuidedDemo {
  world: World;
  usesRabbitmq: boolean;
  seed: number;
  folder: string;
}

/** Printed in the terminal once everything runs. */
export function demoGuide({ world, usesRabbitmq, seed, folder }: GuidedDemo): string {
  const lines = [
    'Open the sign-in link above. Within the next minute you will see:',
    '  Feed          posts arrive live from 24 feeds and 8 Instagram profiles; some fail, move or are slow',
    '  Leads         a search for bakeries starts after 3 seconds, one for bookshops 40 seconds later',
    '  Imports       an import of 40 village archives starts after 7 seconds; one of them fails',
    '  Publish       posts go out every few seconds; Facebook allows 4 a minute and reaches its limit',
    '  Dead letters  three jobs have failed; replay the proof sheet and the village archive, and they succeed',
    '  Health        shows the state of the whole system',
    '',
    ...(usesRabbitmq ? pythonWorker(world.instagram.url) : []),
    `All sites and platforms of the demo: ${world.url}`,
    `The seed is ${seed}; set MILLRACE_DEMO_SEED for other content. Data is in ./${folder}, which is emptied at every start.`,
    'Ctrl+C stops everything.',
  ];
  return `${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

function pythonWorker(instagramUrl: string): string[] {
  return [
    'RABBITMQ_URL is set: Instagram profiles wait for a worker. Start one in the clone, with the same RABBITMQ_URL:',
    `  DEMO_INSTAGRAM_URL=${instagramUrl} PYTHONPATH=workers/python python3 -m millrace_worker demo/instagram/worker.py`,
    '',
  ];
}
