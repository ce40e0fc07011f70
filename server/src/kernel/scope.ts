import { type RawBuilder, sql } from 'kysely'
import type { Actor, Reader } from './context'
import { refuse } from './refuse'

/**
 * Who may see what (docs/ARCHITECTURE.md, sight). The only module that turns an actor into rows in sight; every store
 * takes a Sight and every query on a machine's or a merchant's rows asks one of the two functions below.
 */
export type Sight =
  | { kind: 'all' }
  | { kind: 'subtree'; merchantId: number }
  | { kind: 'granted'; userId: number; merchantId: number }

export function sightOf(actor: Pick<Actor, 'kind' | 'userId' | 'merchantId'>): Sight {
  if (actor.kind === 'platform_admin') return { kind: 'all' }
  if (actor.kind === 'merchant_admin') return { kind: 'subtree', merchantId: actor.merchantId }
  return { kind: 'granted', userId: actor.userId, merchantId: actor.merchantId }
}

type Asking = { actor: Parameters<typeof sightOf>[0] }

/** Some things are the platform's own, whatever permissions a merchant's role was given. */
export const isPlatform = ({ actor }: Asking): boolean => sightOf(actor).kind === 'all'

/** For one row: to everybody else there is nothing to change. @throws Refusal request.notFound */
export const platformRow = <C extends Asking>(ctx: C): C => (isPlatform(ctx) ? ctx : refuse('request.notFound'))

/** @throws Refusal request.notPermitted */
export function platformOnly(ctx: Asking): void {
  if (!isPlatform(ctx)) refuse('request.notPermitted')
}

/** For rows that hang on a machine. @param machineId the column that holds the machine's id */
export function machineInSight(sight: Sight, machineId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (sight.kind === 'all') return sql<boolean>`true`
  return sql<boolean>`${machineId} in (${machinesInSight(sight)})`
}

/**
 * The same for a list of machines themselves: asked of each as it comes, so that a list in an order of its own is not
 * read whole for its first page. @param machine the alias of the table
 */
export function machineRowInSight(sight: Sight, machine: string): RawBuilder<boolean> {
  const id = sql.ref(`${machine}.id`)
  if (sight.kind !== 'subtree') return machineInSight(sight, id)
  return sql<boolean>`(${sql.ref(`${machine}.merchant_id`)} in (${subtreeOf(sight.merchantId)}) or exists (
    select 1 from (${merchantGrants}) given
    where given.merchant_id = ${sight.merchantId} and given.machine_id = ${id}))`
}

/** For rows that hang on a merchant. */
export function merchantInSight(sight: Sight, merchantId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (sight.kind === 'all') return sql<boolean>`true`
  if (sight.kind === 'granted') return sql<boolean>`${merchantId} = ${sight.merchantId}`
  return sql<boolean>`${merchantId} in (${subtreeOf(sight.merchantId)})`
}

const isTop = (merchantId: number) =>
  sql<boolean>`exists (select 1 from merchant me where me.id = ${merchantId} and me.parent_id is null)`

/** Who acts for the merchant at the top: the platform itself. */
export const isOfPlatform = (sight: Sight): RawBuilder<boolean> =>
  sight.kind === 'all' ? sql<boolean>`true` : isTop(sight.merchantId)

/** Of people by their own merchant alone, whatever they see: who answers for the platform's money. */
export async function isPlatformsOwn(db: Reader, { merchantId }: Pick<Actor, 'merchantId'>): Promise<boolean> {
  const found = await sql<{ isOwn: boolean }>`select ${isTop(merchantId)} as "isOwn"`.execute(db)
  return found.rows[0]?.isOwn === true
}

/** The merchant above all; null before the first administrator is made. */
export async function findPlatform(db: Reader): Promise<number | null> {
  const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(db)
  return found.rows[0]?.id ?? null
}

/** A merchant and all below it, by their ids. */
export const subtreeOf = (merchantId: number) =>
  sql`select id from merchant where path @> array[${merchantId}]::bigint[]`

/** A grant ends by the database's clock, which is the same for every process that asks. */
export const isInForce = (endsAt: RawBuilder<unknown>) => sql`(${endsAt} is null or ${endsAt} > now())`

const merchantGrantsKept = sql`select * from machine_grant_merchant g where ${isInForce(sql`g.ends_at`)}`

/** Machines of others that merchants may see; a stopped merchant is shown nothing. */
export const merchantGrants: RawBuilder<unknown> = sql`
  select g.merchant_id, g.machine_id, g.granted_at, g.ends_at
  from machine_grant_merchant g join merchant c on c.id = g.merchant_id and c.state = 'active'
  where ${isInForce(sql`g.ends_at`)}`

/**
 * What users are granted, one row a user, machine and way: to themselves (`unit_id` null), or to a unit that they are
 * in or below. Nothing comes through a unit that is stopped or hangs below a stopped one, and nothing that the user's
 * merchant doesn't see itself: what is taken from a merchant is gone for its people.
 */
export const userGrants: RawBuilder<unknown> = sql`
  select own.user_id, own.machine_id, own.unit_id, own.granted_at, own.ends_at
  from (
    select g.user_id, u.merchant_id, g.machine_id, null::bigint as unit_id, g.granted_at, g.ends_at
    from machine_grant_user g join app_user u on u.id = g.user_id
    where ${isInForce(sql`g.ends_at`)}
    union all
    select u.id, u.merchant_id, g.machine_id, g.organisation_id, g.granted_at, g.ends_at
    from app_user u join organisation o on o.id = u.organisation_id
    join machine_grant_organisation g on g.organisation_id = any(o.path)
    where ${isInForce(sql`g.ends_at`)} and not exists (
      select 1 from organisation above where above.id = any(o.path) and above.state = 'stopped')
  ) own
  join machine on machine.id = own.machine_id
  join merchant owner on owner.id = machine.merchant_id
  where own.merchant_id = any(owner.path) or exists (
    select 1 from (${merchantGrants}) given
    where given.merchant_id = own.merchant_id and given.machine_id = own.machine_id)`

/**
 * What somebody is granted, or everybody of a merchant or unit: (merchant_id, machine_id, ends_at), also what is not
 * shown while a unit or merchant is stopped, since it is again once that goes on.
 */
export const keptOfUser = (userId: number): RawBuilder<unknown> => sql`
  select u.merchant_id, g.machine_id, g.ends_at from app_user u join machine_grant_user g on g.user_id = u.id
  where u.id = ${userId} and ${isInForce(sql`g.ends_at`)}
  union all
  select u.merchant_id, g.machine_id, g.ends_at from app_user u join organisation o on o.id = u.organisation_id
  join machine_grant_organisation g on g.organisation_id = any(o.path)
  where u.id = ${userId} and ${isInForce(sql`g.ends_at`)}
  union all
  select g.merchant_id, g.machine_id, g.ends_at from app_user u join machine_grant_merchant g using (merchant_id)
  where u.id = ${userId} and u.kind = 'merchant_admin' and ${isInForce(sql`g.ends_at`)}`

/** Of the unit, of all above it and of all below it: whoever is or comes in there. */
export const keptOfUnit = (unitId: number): RawBuilder<unknown> => sql`
  select o.merchant_id, g.machine_id, g.ends_at from organisation o
  join organisation other on o.id = any(other.path) or other.id = any(o.path)
  join machine_grant_organisation g on g.organisation_id = other.id
  where o.id = ${unitId} and ${isInForce(sql`g.ends_at`)}`

/** What is authorised to a merchant, which its programs see too. */
export const keptOfProgram = (merchantId: number): RawBuilder<unknown> => sql`
  select g.merchant_id, g.machine_id, g.ends_at from machine_grant_merchant g
  where g.merchant_id = ${merchantId} and ${isInForce(sql`g.ends_at`)}`

/** What an interface to other systems reaches while it stands: its machine, or all of its merchant's, also retired. */
export const keptOfInterface = (merchantId: number, machineId: number | null): RawBuilder<unknown> => sql`
  select m.merchant_id, m.id as machine_id, null::timestamptz as ends_at from machine m
  where ${machineId === null ? sql`m.merchant_id = ${merchantId}` : sql`m.id = ${machineId}`}`

const forEver = (endsAt: RawBuilder<unknown>) => sql`coalesce(${endsAt}, 'infinity'::timestamptz)`

/**
 * Whether what is kept holds a machine that isn't in the sight, or is so for less long. Who runs a merchant sees what
 * it is shown, whenever that is; people are asked machine by machine, also of what their merchant lost and may be
 * shown again.
 */
export function exceedsSight(sight: Sight, kept: RawBuilder<unknown>): RawBuilder<boolean> {
  if (sight.kind === 'all') return sql<boolean>`false`
  if (sight.kind === 'granted') {
    return sql<boolean>`exists (select from (${kept}) kept where not exists (
      select from (${userGrants}) own where own.user_id = ${sight.userId} and own.machine_id = kept.machine_id
        and ${forEver(sql`own.ends_at`)} >= ${forEver(sql`kept.ends_at`)}))`
  }
  return sql<boolean>`exists (select from (${kept}) kept
    join machine on machine.id = kept.machine_id join merchant owner on owner.id = machine.merchant_id
    join (${merchantGrantsKept}) given on given.merchant_id = kept.merchant_id and given.machine_id = kept.machine_id
    where kept.merchant_id <> ${sight.merchantId} and not owner.path @> array[${sight.merchantId}]::bigint[]
      and not exists (select from (${merchantGrants}) own
        where own.merchant_id = ${sight.merchantId} and own.machine_id = kept.machine_id
          and ${forEver(sql`own.ends_at`)} >= least(${forEver(sql`kept.ends_at`)}, ${forEver(sql`given.ends_at`)})))`
}

/** The ids, each once, found without sorting, so that asking for a few of many stops early. */
export function machinesInSight(sight: Exclude<Sight, { kind: 'all' }>): RawBuilder<unknown> {
  if (sight.kind === 'granted') {
    return sql`select distinct granted.machine_id from (${userGrants}) granted where granted.user_id = ${sight.userId}`
  }
  return sql`
    select machine.id from machine where machine.merchant_id in (${subtreeOf(sight.merchantId)})
    union all
    select given.machine_id from (${merchantGrants}) given join machine on machine.id = given.machine_id
    where given.merchant_id = ${sight.merchantId} and machine.merchant_id not in (${subtreeOf(sight.merchantId)})`
}

/**
 * The ids in sight when they are at most `most`, else null. A list over a table of millions is read by machine when
 * the user sees few of them, and by time when they see many.
 */
export async function fewMachinesInSight(db: Reader, sight: Sight, most: number): Promise<number[] | null> {
  if (sight.kind === 'all') return null
  const found = await sql<{ id: number }>`
    select id from (${machinesInSight(sight)}) as seen(id) limit ${sql.lit(most + 1)}`.execute(db)
  return found.rows.length > most ? null : found.rows.map((row) => row.id)
}

/** Whose these machines are. */
export async function merchantsOfMachines(db: Reader, ids: readonly number[]): Promise<number[]> {
  const found = await sql<{ id: number }>`select distinct merchant_id as id from machine
    where id = any(${[...ids]}::bigint[])`.execute(db)
  return found.rows.map((row) => row.id)
}

/** For who names a merchant to write or read something of it. @throws Refusal request.notFound */
export async function refuseUnseenMerchant(db: Reader, sight: Sight, merchantId: number): Promise<void> {
  const found = await sql`select from merchant
    where id = ${merchantId} and ${merchantInSight(sight, sql`merchant.id`)}`.execute(db)
  if (found.rows.length === 0) refuse('request.notFound')
}
