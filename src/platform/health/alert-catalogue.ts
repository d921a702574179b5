import type { z } from 'zod';
import type { AlertSeverity, FoundAlert } from './health-sections.js';

type Severity = z.infer<typeof AlertSeverity>;

/** A kind of alert. `when` and `todo` are the texts of the documentation. */
export interface AlertKind {
  code: string;
  /** The usual severity comes first. */
  severities: readonly [Severity, ...Severity[]];
  when: string;
  todo: string;
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

/** Creates an alert of this kind. */
export function alertOf({ code, severities }: AlertKind, { link = null, ...details }: Details): FoundAlert {
  return { code, severity: severities[0], link, ...details };
}
