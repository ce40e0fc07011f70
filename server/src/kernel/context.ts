import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Replica } from '../db/replica'
import type { Tables } from '../db/tables'
import type { Clock } from './clock'
import type { Files } from './files/store'
import type { Trace } from '../db/trace'

export type Tx = Transaction<Tables>
/** Reads may run outside a transaction; stores that only read take either. */
export type Reader = Kysely<Tables>

/** What the composition root hands to every feature. */
export type Services = {
  db: Kysely<Tables>
  clock: Clock
  log: Logger
  /** Keys kept in a file outside the database. */
  keys: AuthKeys
  /** Of this process alone: files that are being made, and what belongs to no other machine. */
  dataDir: string
  files: Files
  /** Where there is one, figures and exports are read from it. */
  replica?: Replica | undefined
  /** Only where somebody asked for traces. */
  trace?: Trace | undefined
}

export type AuthKeys = { id: string; auth: Buffer; salt: Buffer; fake: Buffer; device: Buffer }

export type Actor = {
  userId: number
  account: string
  displayName: string
  kind: UserKind
  merchantId: number
  /** What counts in this session: of the role acted or looked with, without what is switched off for everybody. */
  grants: readonly string[]
  /** Names of the roles that count now. */
  roles: readonly string[]
  /** All roles between which the user may switch; none switched on is all of them. */
  roleChoices: readonly RoleName[]
  activeRole: RoleName | null
  /** Whose view of the application an administrator is looking at; nothing may be written meanwhile. */
  viewedRole: RoleName | null
  isViewingAs: boolean
  /** Permissions that nobody has for the moment. */
  switchedOff: readonly string[]
  language: Language
  tokenHash: Buffer
  /**
   * Of a session that began with a password which somebody else has seen: it may only change it. Then of who has not
   * accepted the newest platform agreement: they may only do that.
   */
  limitedTo?: 'password' | 'agreement'
}

export type RoleName = { id: number; name: string }

/** What a call brings along, signed in or not. */
export type CallContext = {
  services: Services
  db: Reader
  now: () => Date
  language: Language
  traceId: string
  ip: string
  agent: string
  /** As the browser sent it, '' without one. */
  origin: string
  deviceCookie: string | null
  /** Gives the browser its device cookie with this answer (HttpOnly, SameSite=Strict). */
  keepDevice: (value: string, maxAgeS: number) => void
}

export type QueryContext = CallContext & { actor: Actor }

/** Inside `command()`: one transaction, with its audit row and its announcements. */
export type CommandContext = QueryContext & {
  tx: Tx
  /** Who changed what; a command that leaves none is a bug. */
  audit: (entry: AuditEntry) => Promise<void>
}

export type AuditEntry = {
  merchantId: number
  objectKind: string
  objectId: string | number
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
