import type { accountClaims, ssoRules } from '@aisle/contract/identity/sso'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'

export type Provider = {
  name: string
  issuer: string
  clientId: string
  clientSecret: Buffer
  scope: string
  accountClaim: (typeof accountClaims)[number]
  rule: (typeof ssoRules)[number]
  merchantId: number | null
  roleId: number | null
  isEnabled: boolean
  version: number
  updatedAt: Date
}

export const find = async (db: Reader): Promise<Provider | undefined> => (await select(db, sql``)).rows[0]
export const lock = async (tx: Tx): Promise<Provider | undefined> => (await select(tx, sql`for update`)).rows[0]

const select = (db: Reader, how: ReturnType<typeof sql>) =>
  sql<Provider>`select name, issuer, client_id as "clientId", client_secret as "clientSecret", scope,
      account_claim as "accountClaim", rule, merchant_id as "merchantId", role_id as "roleId",
      is_enabled as "isEnabled", version, updated_at as "updatedAt"
    from sso_provider ${how}`.execute(db)

/** @returns the new version */
export async function put(tx: Tx, provider: Omit<Provider, 'version'>): Promise<number> {
  const { accountClaim, clientId, clientSecret, isEnabled, issuer, merchantId, name, roleId, rule, scope } = provider
  const saved = await sql<{ version: number }>`insert into sso_provider (name, issuer, client_id, client_secret, scope,
      account_claim, rule, merchant_id, role_id, is_enabled, updated_at)
    values (${name}, ${issuer}, ${clientId}, ${clientSecret}, ${scope}, ${accountClaim}, ${rule}, ${merchantId},
      ${roleId}, ${isEnabled}, ${provider.updatedAt})
    on conflict (id) do update set name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, scope = excluded.scope, account_claim = excluded.account_claim,
      rule = excluded.rule, merchant_id = excluded.merchant_id, role_id = excluded.role_id,
      is_enabled = excluded.is_enabled, updated_at = excluded.updated_at, version = sso_provider.version + 1
    returning version`.execute(tx)
  return saved.rows[0]?.version ?? 0
}

export type Role = { id: number; name: string; merchantId: number; merchantName: string; path: number[] }

/** Roles that made accounts may be given. */
export async function listRoles(db: Reader): Promise<Role[]> {
  const found = await sql<Role>`select r.id, r.name, r.merchant_id as "merchantId", m.name as "merchantName", m.path
    from role r join merchant m on m.id = r.merchant_id where r.surface = 'web'
    order by m.name, r.name limit 1000`.execute(db)
  return found.rows
}

export async function grantsOfRole(db: Reader, roleId: number): Promise<string[]> {
  const found = await sql<{ permission: string }>`
    select permission from role_permission where role_id = ${roleId}`.execute(db)
  return found.rows.map(({ permission }) => permission)
}

/** Whether the role is one of this merchant or of one above it, which is where its roles come from. */
export async function isRoleFor(db: Reader, roleId: number, merchantId: number): Promise<boolean> {
  const found = await sql`select from role r join merchant m on r.merchant_id = any(m.path)
    where r.id = ${roleId} and m.id = ${merchantId} and r.surface = 'web'`.execute(db)
  return found.rows.length > 0
}

export type JourneyRow = { sealed: Buffer; redirectUri: string; providerVersion: number }

export async function insertJourney(
  db: Reader,
  row: JourneyRow & { stateHash: Buffer; browserHash: Buffer; ip: string; expiresAt: Date },
): Promise<void> {
  const { browserHash, expiresAt, ip, providerVersion, redirectUri, sealed, stateHash } = row
  await sql`insert into sso_journey (state_hash, browser_hash, sealed, redirect_uri, provider_version, ip, expires_at)
    values (${stateHash}, ${browserHash}, ${sealed}, ${redirectUri}, ${providerVersion}, ${ip},
      ${expiresAt})`.execute(db)
}

/** Counts no further than `most`. */
export async function countJourneys(db: Reader, ip: string, now: Date, most: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from (select from sso_journey
    where ip = ${ip} and expires_at > ${now} limit ${sql.lit(most)}) as held`.execute(db)
  return found.rows[0]?.count ?? 0
}

/** Once, and only for the browser that began it. */
export async function takeJourney(
  db: Reader,
  stateHash: Buffer,
  browserHash: Buffer,
  now: Date,
): Promise<JourneyRow | undefined> {
  const taken = await sql<JourneyRow>`delete from sso_journey
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > ${now}
    returning sealed, redirect_uri as "redirectUri", provider_version as "providerVersion"`.execute(db)
  return taken.rows[0]
}

/** Until the transaction ends nobody else signs in as this subject: of two at once one makes the account. */
export async function holdSubject(tx: Tx, issuer: string, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 15))`.execute(tx)
}

export async function userOf(tx: Tx, issuer: string, subject: string): Promise<number | undefined> {
  const found = await sql<{ id: number }>`select user_id as id from sso_identity
    where issuer = ${issuer} and subject = ${subject}`.execute(tx)
  return found.rows[0]?.id
}

/** @returns false when the account belongs to another subject of the provider already */
export async function link(
  tx: Tx,
  identity: { issuer: string; subject: string; userId: number; at: Date },
): Promise<boolean> {
  const { at, issuer, subject, userId } = identity
  const linked = await sql`insert into sso_identity (issuer, subject, user_id, linked_at)
    values (${issuer}, ${subject}, ${userId}, ${at}) on conflict do nothing`.execute(tx)
  return linked.numAffectedRows === 1n
}
