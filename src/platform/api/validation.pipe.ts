import { type ArgumentMetadata, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { ApiError, type FieldError } from '../errors/api-error.js';

const MAX_ERRORS = 20;
const MAX_PATH_LENGTH = 200;

/** Nest's own removal of `__proto__` takes minutes for a large body, and parsing refuses such a body already. */
@Injectable()
export class ValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (!metadata.schema || !this.toValidate(metadata)) return value;
    const result = await this.validate<T>(value, metadata.schema);
    if (!result.issues) return result.value;
    const errors = result.issues.flatMap((issue) => fieldErrors(issue, metadata.data));
    const named = errors.slice(0, MAX_ERRORS);
    throw new ApiError('validation_failed', describeErrors(named, errors.length - named.length), { errors: named });
  }
}

/** zod reports all unknown fields of an object as one issue. */
function fieldErrors(issue: StandardSchemaV1.Issue & { keys?: string[] }, parameter?: string): FieldError[] {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  if (parameter) path.unshift(parameter);
  if (issue.keys) return issue.keys.map((key) => ({ path: spelled([...path, key]), message: 'unknown field' }));
  return [{ path: spelled(path), message: issue.message }];
}

function spelled(path: string[]): string {
  const text = path.join('.');
  return text.length > MAX_PATH_LENGTH ? `${text.slice(0, MAX_PATH_LENGTH)}…` : text;
}

function describeErrors(errors: FieldError[], more: number): string {
  const sentences = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return [...sentences, ...(more ? [`and ${more} more`] : [])].join('; ');
}
