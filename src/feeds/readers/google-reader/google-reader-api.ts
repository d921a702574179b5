import { applyDecorators, Controller, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AcceptsAppPasswords } from '../../../auth/app-passwords/app-authenticator.js';
import { ForeignApi } from '../../../platform/api/foreign-api.js';
import type { Problem } from '../../../platform/errors/problem.js';

/** Clients append the paths to the address of the server, or to that of the script of FreshRSS. */
const BASES = ['', 'api/greader.php/'];

export const TEXT = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
export const OK = 'OK';

const GoogleReaderErrors = () =>
  ForeignApi({
    errorAnswer: ({ status, detail }: Problem) => ({
      type: TEXT,
      body: `Error=${status === 401 ? 'BadAuthentication' : detail}\n`,
      // Clients log in again when they see one of these.
      headers: status === 401 ? { 'X-Reader-Google-Bad-Token': 'true', 'Google-Bad-Token': 'true' } : {},
    }),
  });

/** A controller of the Google Reader API, below `reader/`, for users who have logged in. */
export const GoogleReaderApi = (path = 'api/0') =>
  applyDecorators(
    GoogleReaderErrors(),
    AcceptsAppPasswords(),
    ApiExcludeController(),
    Controller({ path: BASES.map((base) => `${base}reader/${path}`), version: VERSION_NEUTRAL }),
  );

/** For the login, to which clients send no header. */
export const GoogleLoginApi = () =>
  applyDecorators(
    GoogleReaderErrors(),
    ApiExcludeController(),
    Controller({ path: BASES.map((base) => `${base}accounts`), version: VERSION_NEUTRAL }),
  );
