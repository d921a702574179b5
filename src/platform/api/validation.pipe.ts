import { type ArgumentMetadata, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { ApiError, type FieldError } from '../errors/api-error.js';

/** Checks what `@Body`, `@Query` and `@Param` receive, and names every field that is wrong. */
@Injectable()
export class ValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (!metadata.schema || !this.toValidate(metadata)) return value;
    this.stripProtoKeys(value);
    const result = await this.validate<T>(value, metadata.schema);
    if (!result.issues) return result.value;
    const errors = result.issues.flatMap((issue) => fieldErrors(issue, metadata.data));
    throw new ApiError('validation_failed', errors.map(inWords).join('; '), { errors });
  }
}

/** zod reports all unknown fields of an object as one issue. */
function fieldErrors(issue: StandardSchemaV1.Issue & { keys?: string[] }, parameter?: string): FieldError[] {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  if (parameter) path.unshift(parameter);
  if (issue.keys) return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'unknown field' }));
  return [{ path: path.join('.'), message: issue.message }];
}

const inWords = ({ path, message }: FieldError) => (path ? `${path}: ${message}` : message);
