import { Injectable } from '@nestjs/common';

/** The moments at which a crash is most likely to lose or double a post. */
export const MOMENTS = [
  'due and not claimed',
  'claimed and not sent',
  'between two steps',
  'sent and not answered',
  'answered and not committed',
  'committed and not acknowledged',
  'refreshing credentials',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** Where programs of tests let their process die; otherwise nothing happens. */
@Injectable()
export class KillPoints {
  /** Set by such a program before it starts Millrace. */
  static atMoment: (moment: Moment, publicationIds: string[]) => Promise<void> = async () => undefined;

  /** A job's publication need not be told: the job says which it is. */
  reach(moment: Moment, publicationIds: string[] = []): Promise<void> {
    return KillPoints.atMoment(moment, publicationIds);
  }
}
