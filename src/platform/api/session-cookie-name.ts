/** The auth module sets and reads this cookie, and the OpenAPI document describes it. */
export const SESSION_COOKIE = 'millrace_session';
