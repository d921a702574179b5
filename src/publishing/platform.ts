import type { z } from 'zod';
import type { HttpClient } from '../platform/http/http-client.js';
import { redactText } from '../platform/redact.js';

/** What is to be published. */
export interface Content {
  text: string;
  mediaUrls: string[];
  link?: string | undefined;
  title?: string | undefined;
}

/** One publication as a platform is asked for it. */
export interface PublishCommand<Credentials = unknown, Progress = unknown> {
  content: Content;
  credentials: Credentials;
  /** The same for every try of this publication, another for every other: 32 lower-case hexadecimal digits. */
  key: string;
  /** When the first try of the call that shows the post was decided; undefined if there was none. */
  intendedAt: Date | undefined;
  /** For `find`: posts of the account that are other publications'. */
  others?: ReadonlySet<string> | undefined;
  /** For `find`: what the account's other publications say whose calls have no known end either. */
  pending?: readonly Content[] | undefined;
  /** For `find`: no call can have shown the post after this moment. */
  calledUntil?: Date | undefined;
  /** What earlier steps have left behind. */
  progress: Progress | undefined;
}

export interface Published {
  postId: string;
  url?: string | undefined;
}

/** What a platform may touch. */
export interface PlatformTools {
  http: Pick<HttpClient, 'get' | 'request'>;
  config: PlatformConfig;
  /** A file that the content names, fetched through the guarded client. Fails with a PublishFailure. */
  media(url: string): Promise<MediaFile>;
  /** Waits, unless it is aborted: some platforms take a while with what was uploaded. */
  pause(ms: number): Promise<void>;
  now(): Date;
  signal: AbortSignal;
}

export interface MediaFile {
  bytes: Uint8Array;
  /** A MIME type, as the server says or as the bytes tell. */
  type: string;
  name: string;
}

/** The part of the configuration that platforms read. */
export interface PlatformConfig {
  facebookUrl: string;
  instagramUrl: string;
  linkedinUrl: string;
  youtubeApiUrl: string;
  googleTokenUrl: string;
}

/** What is wrong with a content: its field, such as `text` or `mediaUrls.0`, and why, in words that tell by how much. */
export interface ContentProblem {
  path: string;
  message: string;
}

type FileKind = 'image' | 'video' | 'audio';

/** What a platform takes, for people and for forms; `check` decides, and knows more. */
export interface Accepts {
  /** Of the text, with the link where that becomes a part of it; null: any number. */
  text: { most: number | null; unit: 'characters' | 'bytes' };
  /** Undefined: there is no title. */
  title?: { most: number; isNeeded: boolean };
  /** `kinds` null: any file. */
  media: { least: number; most: number | null; kinds: FileKind[] | null };
}

/** What a platform said about how many posts it takes. */
export interface ToldLimit {
  remaining: number;
  /** When it takes more again. */
  until: Date;
}

/**
 * A plug-in: one platform. Each call fails with a PublishFailure or an OutgoingRequestError and never tries again by itself.
 * `prepare` may take several calls, each of which can be repeated without anybody seeing it; `publish` makes the one call
 * that shows the post.
 */
export interface Platform<Credentials = unknown, Progress = unknown> {
  readonly name: string;
  /** For people, such as "Facebook page". */
  readonly label: string;
  /** Checks credentials and brings them into the shape that the other functions take. */
  readonly credentials: z.ZodType<Credentials>;
  /** How many posts it takes, for the platform as a whole and for each user, unless the configuration says otherwise. */
  readonly limit?: { most: number; windowMs: number } | undefined;
  /** Publications at once in the beginning. */
  readonly workers: number;
  readonly accepts: Accepts;
  /** What it will not accept. */
  check(content: Content, credentials: Credentials): ContentProblem[];
  /** Whose the credentials are: asks the platform whether they work. */
  whose(credentials: Credentials, tools: PlatformTools): Promise<{ id: string; name: string }>;
  /** New credentials in place of ones that run out, before they do or when the platform says so. Undefined: not needed. */
  refresh?(
    credentials: Credentials,
    reason: 'before use' | 'refused',
    tools: PlatformTools,
  ): Promise<Credentials | undefined>;
  /** Uploads and the like. What it saves is handed to the next try, which goes on from there. */
  prepare?(
    command: PublishCommand<Credentials, Progress>,
    tools: PlatformTools,
    save: (progress: Progress) => Promise<void>,
  ): Promise<Progress>;
  publish(
    command: PublishCommand<Credentials, Progress>,
    tools: PlatformTools,
  ): Promise<Published & { told?: ToldLimit }>;
  /**
   * Whether `publish` may be called again with the same command though the first call may have come through:
   * undefined if never, else for how long after `intendedAt`, because the platform knows the command by its key.
   */
  readonly knowsKeysForMs?: number | undefined;
  /** How long after the end of the call `find` may miss the post: it may still come. 10 s unless told. */
  readonly settlesInMs?: number | undefined;
  /** Whether `find` recognises a post though the progress of the try that made it is lost. Posts without files are always recognised. */
  readonly findsWithoutProgress?: boolean | undefined;
  /**
   * The post of this command, if it is there: by its key, or by a fingerprint among the account's newest. Fails with
   * UNCERTAIN if it shows something that may be the post or not, which only a person can tell; with any other failure if it
   * cannot be read now.
   */
  find?(command: PublishCommand<Credentials, Progress>, tools: PlatformTools): Promise<Published | undefined>;
}

/** For the list of all platforms, which knows none of them closer. */
export function definePlatform<Credentials, Progress = never>(platform: Platform<Credentials, Progress>): Platform {
  return platform as unknown as Platform;
}

export type PublishFailureCode =
  /** It will not take this content, ever. */
  | 'REFUSED'
  /** The credentials do not work (any more). */
  | 'AUTH_ERROR'
  /** It has taken enough from this account; `until` says until when, as far as it told. Nothing was published. */
  | 'RATE_LIMITED'
  /** It is to be asked again at `until`, and it is certain that nothing was published. */
  | 'NOT_YET'
  /** It is out of order (no answer, or a 5xx), and it is certain that nothing was published. */
  | 'UNREACHABLE'
  /** It answered that it did not take it this time, and it is certain that nothing was published. */
  | 'UNAVAILABLE'
  /** The post's time was over before the call was sent. */
  | 'EXPIRED'
  /** The call may have come through: nobody knows. */
  | 'UNCERTAIN';

/** Why a platform did not publish, in words that the publication's owner reads. */
export class PublishFailure extends Error {
  override readonly name = 'PublishFailure';
  readonly until: Date | undefined;

  constructor(
    readonly code: PublishFailureCode,
    message: string,
    { cause, until }: { cause?: unknown; until?: Date | undefined } = {},
  ) {
    super(redactText(message), { cause });
    this.until = until;
  }
}
