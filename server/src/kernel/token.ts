import { hash } from 'node:crypto'

/** A session or display key as the database keeps it: what is stored can't sign in. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Without a call for this long a session is over; with calls it is over after `SESSION_WHOLE_MS` (login rules). */
export const SESSION_IDLE_MS = 30 * 60_000
export const SESSION_WHOLE_MS = 12 * 3600_000
