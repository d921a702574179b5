import { randomBytes } from 'node:crypto';

/** Secrets by their kind. Each is a text that occurs nowhere else. */
export class MarkedSecrets {
  private readonly values = new Map<string, string>();

  /** Returns a new secret. */
  mark(kind: string): string {
    return this.note(kind, `marked-${kind.replaceAll(' ', '-')}-${randomBytes(12).toString('hex')}`);
  }

  /** Registers a secret that Millrace has created. */
  note(kind: string, value: string | undefined | null): string {
    if (!value || value.length < 20) throw new Error(`the ${kind} is no secret: ${value}`);
    this.values.set(kind, value);
    return value;
  }

  get kinds(): string[] {
    return [...this.values.keys()];
  }

  /** Returns the kinds of secrets that a text contains, plain or encoded. */
  foundIn(text: string): string[] {
    return this.kinds.filter((kind) => {
      const value = this.values.get(kind) ?? '';
      return [value, encodeURIComponent(value), Buffer.from(value).toString('base64url').slice(0, -4)].some(
        (spelling) => text.includes(spelling),
      );
    });
  }
}
