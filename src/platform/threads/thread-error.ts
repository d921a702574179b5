export class ThreadTimeout extends Error {
  override readonly name = 'ThreadTimeout';

  constructor(timeoutMs: number) {
    super(`not done after ${timeoutMs} ms`);
  }
}

export class ThreadDied extends Error {
  override readonly name = 'ThreadDied';
}

export interface CarriedError {
  message: string;
  fields: Record<string, unknown>;
}

export function carry(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const { name, message, stack } = error;
  const fields = Object.fromEntries(Object.entries(error).filter(([, value]) => isPlain(value)));
  return { message, fields: { ...fields, name, stack } };
}

export function arrived({ message, fields }: CarriedError): Error {
  return Object.assign(new Error(message), fields);
}

function isPlain(value: unknown): boolean {
  return value === null || value instanceof Date || ['string', 'number', 'boolean'].includes(typeof value);
}
