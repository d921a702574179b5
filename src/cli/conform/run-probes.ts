import { Breach, NotProbed } from './breach.js';
import type { Probe } from './probe.js';
import { goodCommand } from './probes/good-command.js';
import { workerPresent } from './probes/worker-present.js';
import type { Target } from './target.js';

export interface Finding {
  probe: string;
  checks: string;
  result: 'pass' | 'breach' | 'skipped';
  details: string;
}

/** One after the other, each told when it is done. After one that ended the worker, the others are skipped. */
export async function runProbes(
  probes: readonly Probe[],
  target: Target,
  tell: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let silentSince: string | undefined;
  for (const probe of probes) {
    const reason = silentSince ?? missingGround(probe, findings);
    const finding = reason ? skipped(probe, reason) : await find(probe, target);
    findings.push(finding);
    tell(finding);
    if (finding.result === 'breach' && !(await isStillThere(probe, target))) silentSince = silence(probe);
  }
  return findings;
}

async function find(probe: Probe, target: Target): Promise<Finding> {
  const { name, checks } = probe;
  try {
    return { probe: name, checks, result: 'pass', details: await probe.run(target) };
  } catch (error) {
    if (error instanceof NotProbed) return skipped(probe, error.message);
    if (error instanceof Breach) return { probe: name, checks, result: 'breach', details: error.message };
    throw error;
  }
}

const skipped = ({ name, checks }: Probe, details: string): Finding => ({
  ...{ probe: name, checks, result: 'skipped', details },
});

function missingGround({ needsGoodCommand }: Probe, findings: Finding[]): string | undefined {
  const good = findings.find(({ probe }) => probe === goodCommand.name);
  if (!needsGoodCommand || !good || good.result === 'pass') return undefined;
  return `needs ${goodCommand.name} to pass`;
}

async function isStillThere(probe: Probe, target: Target): Promise<boolean> {
  return probe !== workerPresent && (await target.answers());
}

const silence = (probe: Probe) =>
  probe === workerPresent ? 'there is no worker' : `the worker has not answered since ${probe.name}`;
