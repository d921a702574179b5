import { z } from 'zod';

export const AlertSeverity = z.enum(['warning', 'critical']);
type Severity = z.infer<typeof AlertSeverity>;

export interface AlertKind {
  code: string;
  severities: readonly [Severity, ...Severity[]];
  when: string;
  todo: string;
}

export interface FoundAlert {
  code: string;
  subject?: string;
  severity: Severity;
  message: string;
  link: string | null;
}

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
