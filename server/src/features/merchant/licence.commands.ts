import type { addLicence, editLicence, renewLicence, revokeLicence } from '@aisle/contract/merchant/licence'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { endsLater, faultOf } from './licence.rules'

type Changed = { id: number }
type About = Omit<InputOf<typeof addLicence>, 'merchantId'>
type Row = About & { id: number; merchantId: number; isRevoked: boolean; version: number }

export async function add(ctx: CommandContext, input: InputOf<typeof addLicence>): Promise<Changed> {
  const { merchantId, ...about } = input
  refuseFault(about)
  const { machineId, userId } = await holderIds(ctx, about)
  const made = await unlessTaken(
    about.number,
    sql<{ id: number }>`insert into licence (merchant_id, holder_kind, kind, number, holder, user_id, machine_id,
        issued_by, valid_from, valid_to, pictures, remark, created_at)
      select m.id, ${about.holderKind}, ${about.kind}, ${about.number}, ${about.holder}, ${userId}::bigint,
        ${machineId}::bigint, ${about.issuedBy}, ${about.validFrom}::date, ${about.validTo}::date,
        ${about.pictures}::text[], ${about.remark}, ${ctx.now()}
      from merchant m where m.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`m.id`)}
      returning id`.execute(ctx.tx),
  )
  const id = existing(made.rows[0]).id
  await audit(ctx, { id, merchantId }, null, about)
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editLicence>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const licence = await load(ctx, id)
  const before = aboutOf(licence)
  refuseStale(ctx, { version }, licence, before, wanted)
  refuseRevoked(licence)
  refuseFault(wanted)
  const { machineId, userId } = await holderIds(ctx, wanted)
  await unlessTaken(
    wanted.number,
    sql`update licence set holder_kind = ${wanted.holderKind}, kind = ${wanted.kind}, number = ${wanted.number},
        holder = ${wanted.holder}, user_id = ${userId}, machine_id = ${machineId}, issued_by = ${wanted.issuedBy},
        valid_from = ${wanted.validFrom}, valid_to = ${wanted.validTo}, pictures = ${wanted.pictures}::text[],
        remark = ${wanted.remark}, version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, licence, before, wanted)
  return { id }
}

/**
 * The term that ends is kept with its scans; the licence goes on under the same id,
 * so what hangs on it need not move.
 */
export async function renew(ctx: CommandContext, input: InputOf<typeof renewLicence>): Promise<Changed> {
  const { id, version, ...term } = input
  const licence = await load(ctx, id)
  refuseStale(ctx, { version }, licence, aboutOf(licence), term)
  refuseRevoked(licence)
  refuseFault({ ...licence, ...term })
  if (!endsLater(term.validTo, licence.validTo)) refuse('licence.notLater', { day: licence.validTo ?? '∞' })
  await sql`insert into licence_term
      (licence_id, number, issued_by, valid_from, valid_to, pictures, replaced_at, replaced_by)
    select id, number, issued_by, valid_from, valid_to, pictures, ${ctx.now()}, ${ctx.actor.userId}
    from licence where id = ${id}`.execute(ctx.tx)
  await unlessTaken(
    term.number,
    sql`update licence set number = ${term.number}, issued_by = ${term.issuedBy}, valid_from = ${term.validFrom},
        valid_to = ${term.validTo}, pictures = ${term.pictures}::text[], version = version + 1
      where id = ${id}`.execute(ctx.tx),
  )
  const { number, issuedBy, validFrom, validTo } = licence
  await audit(ctx, licence, { number, issuedBy, validFrom, validTo }, term)
  return { id }
}

export async function revoke(ctx: CommandContext, input: InputOf<typeof revokeLicence>): Promise<Changed> {
  const { id, version, reason } = input
  const licence = await load(ctx, id)
  refuseStale(ctx, { version }, licence, {}, {})
  refuseRevoked(licence)
  await sql`update licence set revoked_at = ${ctx.now()}, revoke_reason = ${reason}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, licence, { state: 'held' }, { state: 'revoked', reason })
  return { id }
}

function refuseRevoked(licence: Row): void {
  if (licence.isRevoked) refuse('licence.revoked', { number: licence.number })
}

function refuseFault(licence: Parameters<typeof faultOf>[0]): void {
  const fault = faultOf(licence)
  if (fault) refuse(fault)
}

const unlessTaken = <T>(number: string, write: Promise<T>): Promise<T> =>
  refusedBy('licence_number', write, () => refusal('licence.numberTaken', { number }))

/** The machine and the account that a licence names by their codes. */
async function holderIds(ctx: CommandContext, about: Pick<About, 'holderKind' | 'machineCode' | 'account'>) {
  const sight = sightOf(ctx.actor)
  const { machineCode, account } = about
  const machine =
    about.holderKind === 'site' &&
    machineCode &&
    (await sql<{ id: number }>`select m.id from machine m
      where m.code = ${machineCode} and ${machineInSight(sight, sql`m.id`)}`.execute(ctx.tx))
  const doctor =
    about.holderKind === 'doctor' &&
    account &&
    (await sql<{ id: number }>`select id from app_user u where u.account = ${account.toLowerCase()}
      and u.kind = 'doctor' and ${merchantInSight(sight, sql`u.merchant_id`)}`.execute(ctx.tx))
  if (about.holderKind === 'site' && !machine) refuse('licence.noMachine', { code: '–' })
  const machineId = machine ? (machine.rows[0]?.id ?? refuse('licence.noMachine', { code: machineCode ?? '' })) : null
  const userId = doctor ? (doctor.rows[0]?.id ?? refuse('licence.noDoctor', { account: account ?? '' })) : null
  return { machineId, userId }
}

async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`
    select l.id, l.merchant_id as "merchantId", l.holder_kind as "holderKind", l.kind, l.number, l.holder,
      l.issued_by as "issuedBy", l.valid_from as "validFrom", l.valid_to as "validTo", l.pictures, l.remark,
      (select code from machine where machine.id = l.machine_id) as "machineCode",
      (select account from app_user where app_user.id = l.user_id) as account,
      l.revoked_at is not null as "isRevoked", l.version
    from licence l where l.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`l.merchant_id`)}
    for update`.execute(ctx.tx)
  return existing(found.rows[0])
}

const aboutOf = ({ id: _id, merchantId: _merchant, isRevoked: _revoked, version: _version, ...about }: Row): About =>
  about

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'licence', objectId: id, before, after })
