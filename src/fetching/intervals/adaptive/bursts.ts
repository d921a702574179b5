/** Hypotheses are weighted by how well they predicted the past. In each, a post triggers `share` others on average. */
export interface Bursts {
  /** Decayed sum of past posts, for each echo time. */
  echoes: number[];
  /** These are log-likelihoods relative to the best hypothesis. */
  evidence: number[];
}

interface Hypothesis {
  share: number;
  echo: number;
  prior: number;
}

/** Time constants: after this many seconds about a third of an echo is left. */
export const ECHO_SECONDS = [600, 3_600, 14_400, 86_400];

/** The last hypotheses cover busy days and changed habits rather than bursts. */
export const HYPOTHESES: readonly Hypothesis[] = [
  { share: 0, echo: 0, prior: 2 },
  { share: 0.5, echo: 0, prior: 0 },
  { share: 0.4, echo: 1, prior: 0 },
  { share: 0.8, echo: 1, prior: 0 },
  { share: 0.6, echo: 2, prior: 0 },
  { share: 0.6, echo: 3, prior: 0 },
];

const PRIORS = HYPOTHESES.map(({ prior }) => prior);

/** Lower bound that lets every hypothesis recover. */
const MIN_EVIDENCE = -20;
const MIN_RATE = 1e-12;

export const noBursts = (): Bursts => ({ echoes: ECHO_SECONDS.map(() => 0), evidence: HYPOTHESES.map(() => 0) });

export function trust(evidence: number[]): number[] {
  const trusted = PRIORS.slice();
  let best = -Infinity;
  for (let place = 0; place < trusted.length; place++) {
    const score = (trusted[place] as number) + (evidence[place] ?? 0);
    trusted[place] = score;
    if (score > best) best = score;
  }
  let total = 0;
  for (let place = 0; place < trusted.length; place++) {
    const weight = Math.exp((trusted[place] as number) - best);
    trusted[place] = weight;
    total += weight;
  }
  for (let place = 0; place < trusted.length; place++) trusted[place] = (trusted[place] as number) / total;
  return trusted;
}

export function ownShare(evidence: number[]): number {
  const trusted = trust(evidence);
  let own = 0;
  for (let place = 0; place < HYPOTHESES.length; place++) {
    own += (trusted[place] ?? 0) * (1 - (HYPOTHESES[place]?.share ?? 0));
  }
  return own;
}

export function fade(echoes: number[], seconds: number): void {
  for (let place = 0; place < echoes.length; place++) {
    echoes[place] = (echoes[place] ?? 0) * Math.exp(-seconds / (ECHO_SECONDS[place] ?? 1));
  }
}

interface ObservedPeriod {
  from: number;
  to: number;
  times: number[];
  /** Usual posts per second at a time, and usual posts in the whole period. */
  usualAt: (time: number) => number;
  usual: number;
}

export function observe({ echoes, evidence }: Bursts, { from, to, times, usualAt, usual }: ObservedPeriod): number[] {
  const before = echoes.slice();
  let now = from;
  const own = times.map((time) => {
    if (time > now) fade(echoes, time - now);
    now = Math.max(now, time);
    const likely = addLikelihood(evidence, echoes, usualAt(time));
    for (let place = 0; place < echoes.length; place++) echoes[place] = (echoes[place] ?? 0) + 1;
    return likely;
  });
  if (to > now) fade(echoes, to - now);
  for (let place = 0; place < HYPOTHESES.length; place++) {
    const { share, echo } = HYPOTHESES[place] as Hypothesis;
    const brought = (before[echo] ?? 0) + times.length - (echoes[echo] ?? 0);
    evidence[place] = (evidence[place] ?? 0) - (1 - share) * usual - share * brought;
  }
  settle(evidence);
  return own;
}

function addLikelihood(evidence: number[], echoes: number[], usual: number): number {
  const trusted = trust(evidence);
  let own = 0;
  for (let place = 0; place < HYPOTHESES.length; place++) {
    const { share, echo } = HYPOTHESES[place] as Hypothesis;
    const alone = (1 - share) * usual;
    const rate = Math.max(alone + (share * (echoes[echo] ?? 0)) / (ECHO_SECONDS[echo] ?? 1), MIN_RATE);
    evidence[place] = (evidence[place] ?? 0) + Math.log(rate);
    own += (trusted[place] ?? 0) * (alone / rate);
  }
  return own;
}

function settle(evidence: number[]): void {
  let best = -Infinity;
  for (let place = 0; place < evidence.length; place++) best = Math.max(best, evidence[place] as number);
  for (let place = 0; place < evidence.length; place++) {
    evidence[place] = Math.max((evidence[place] ?? 0) - best, MIN_EVIDENCE);
  }
}
