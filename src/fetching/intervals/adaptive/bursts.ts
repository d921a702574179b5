/**
 * Whether posts of a source bring more posts. There are some guesses at it, each trusted as far as it has foretold what
 * came: by a guess a post brings `share` others on average, most of them within the time that it echoes.
 */
export interface Bursts {
  /** What is left of the posts that came, for each time that they may echo. */
  echoes: number[];
  /** For each guess, the logarithm of how well it has foretold, against the best. */
  evidence: number[];
}

interface Guess {
  share: number;
  /** Place in ECHO_SECONDS. */
  echo: number;
  /** How likely it is before anything was seen, as a logarithm. */
  prior: number;
}

/** After so long about a third of a post's echo is left. */
export const ECHO_SECONDS = [600, 3_600, 14_400, 86_400];

/** The last ones are for what is no burst: a day that is busier than others, habits that have changed. */
export const GUESSES: readonly Guess[] = [
  { share: 0, echo: 0, prior: 2 },
  { share: 0.5, echo: 0, prior: 0 },
  { share: 0.4, echo: 1, prior: 0 },
  { share: 0.8, echo: 1, prior: 0 },
  { share: 0.6, echo: 2, prior: 0 },
  { share: 0.6, echo: 3, prior: 0 },
];

/** No guess is ever so wrong that it could not turn out right. */
const MIN_EVIDENCE = -20;
const MIN_RATE = 1e-12;

export const noBursts = (): Bursts => ({ echoes: ECHO_SECONDS.map(() => 0), evidence: GUESSES.map(() => 0) });

/** How far each guess is to be trusted; together 1. */
export function trust(evidence: number[]): number[] {
  const scores = GUESSES.map(({ prior }, place) => prior + (evidence[place] ?? 0));
  const best = Math.max(...scores);
  let total = 0;
  for (let place = 0; place < scores.length; place++) {
    const weight = Math.exp((scores[place] ?? 0) - best);
    scores[place] = weight;
    total += weight;
  }
  for (let place = 0; place < scores.length; place++) scores[place] = (scores[place] ?? 0) / total;
  return scores;
}

/** Which part of all posts come without being brought by others, by what is trusted. */
export function ownShare(evidence: number[]): number {
  const trusted = trust(evidence);
  let own = 0;
  for (let place = 0; place < GUESSES.length; place++) {
    own += (trusted[place] ?? 0) * (1 - (GUESSES[place]?.share ?? 0));
  }
  return own;
}

export function fade(echoes: number[], seconds: number): void {
  for (let place = 0; place < echoes.length; place++) {
    echoes[place] = (echoes[place] ?? 0) * Math.exp(-seconds / (ECHO_SECONDS[place] ?? 1));
  }
}

/** A time that was watched. */
interface Heard {
  from: number;
  to: number;
  /** When posts came, in order. */
  times: number[];
  /** Posts a second that are usual at a time, and in all of it. */
  usualAt: (time: number) => number;
  usual: number;
}

/** Learns from that; gives for each post how likely it is that no other has brought it. */
export function hear({ echoes, evidence }: Bursts, { from, to, times, usualAt, usual }: Heard): number[] {
  const before = echoes.slice();
  let now = from;
  const own = times.map((time) => {
    if (time > now) fade(echoes, time - now);
    now = Math.max(now, time);
    const likely = came(evidence, echoes, usualAt(time));
    for (let place = 0; place < echoes.length; place++) echoes[place] = (echoes[place] ?? 0) + 1;
    return likely;
  });
  if (to > now) fade(echoes, to - now);
  for (let place = 0; place < GUESSES.length; place++) {
    const { share, echo } = GUESSES[place] as Guess;
    const brought = (before[echo] ?? 0) + times.length - (echoes[echo] ?? 0);
    evidence[place] = (evidence[place] ?? 0) - (1 - share) * usual - share * brought;
  }
  settle(evidence);
  return own;
}

/** Counts for each guess how much a post was to be expected. */
function came(evidence: number[], echoes: number[], usual: number): number {
  const trusted = trust(evidence);
  let own = 0;
  for (let place = 0; place < GUESSES.length; place++) {
    const { share, echo } = GUESSES[place] as Guess;
    const alone = (1 - share) * usual;
    const rate = Math.max(alone + (share * (echoes[echo] ?? 0)) / (ECHO_SECONDS[echo] ?? 1), MIN_RATE);
    evidence[place] = (evidence[place] ?? 0) + Math.log(rate);
    own += (trusted[place] ?? 0) * (alone / rate);
  }
  return own;
}

function settle(evidence: number[]): void {
  const best = Math.max(...evidence);
  for (let place = 0; place < evidence.length; place++) {
    evidence[place] = Math.max((evidence[place] ?? 0) - best, MIN_EVIDENCE);
  }
}
