import { z } from 'zod';

export const AlertSeverity = z.enum(['warning', 'critical']);
type Severity = z.infer<typeof AlertSeverity>;

/** A kind of alert. `when` and `todo` are the texts of the documentation. */
export interface AlertKind {
  code: string;
  /** The usual severity comes first. */
  severities: readonly [Severity, ...Severity[]];
  when: string;
  todo: string;
}

/** A current alert. Since when it exists is recorded elsewhere. */
export interface FoundAlert {
  code: string;
  /** Distinguishes several alerts of one code, such as a queue. */
  subject?: string;
  severity: Severity;
  /** A sentence that says what is wrong and what to do. */
  message: string;
  /** A path of this server with more information. */
  link: string | null;
}

/** How a feature reports its health. */
export interface FeatureHealth<Stats> {
  stats: Stats;
  alerts: FoundAlert[];
}

const catalogue = new Map<string, AlertKind>();

export function defineAlert(kind: AlertKind): AlertKind {
  if (catalogue.has(kind.code)) throw new Error(`two alerts have the code "${kind.code}"`);
  catalogue.set(kind.code, kind);
  return kind;
}

export function allAlerts(): AlertKind[] {
  return [...catalogue.values()];
}

type Details = Pick<FoundAlert, 'message'> & Partial<Pick<FoundAlert, 'subject' | 'severity' | 'link'>>;

export function alertOf({ code, severities }: AlertKind, { link = null, ...details }: Details): FoundAlert {
  return { code, severity: severities[0], link, ...details };
}
