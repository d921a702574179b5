/** Set and read by auth, told of in the OpenAPI document. */
export const SESSION_COOKIE = 'millrace_session';
