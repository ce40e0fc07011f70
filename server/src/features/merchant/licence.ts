import * as contract from '@aisle/contract/merchant/licence'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { kept } from '../../kernel/kept'
import { only } from '../../kernel/must'
import { refusal, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { hangsOn } from './licence.hangs'
import { findMore, findTerms, licenceStateOf, summary, term } from './licence.reads'
import { endsLater, faultOf } from './licence.rules'

type About = Omit<InputOf<typeof contract.addLicence>, 'merchantId'>

const licences = kept(contract.licence, {
  table: 'licence',
  joins: (_sight, now) => term(now),
  facts: () => ({
    daysLeft: sql`term.days_left`,
    state: licenceStateOf,
    renewals: sql`(select count(*)::int from licence_term t where t.licence_id = licence.id)`,
    marks: sql`case when licence.valid_to is null then array['long_term'] else '{}'::text[] end`,
  }),
  shown: {
    machineCode: sql`(select code from machine where machine.id = licence.machine_id)`,
    account: sql`(select account from app_user where app_user.id = licence.user_id)`,
  },
  columns: async (ctx, about, { revokedAt, number = '' }) => {
    if (revokedAt) refuse('licence.revoked', { number })
    refuseFault(about)
    return holderIds(ctx, about)
  },
  search: ['number', 'holder', 'merchantName'],
  orders: { worst: { by: worst(), type: 'bigint' } },
})

export const routes: Route[] = [
  ...listOf(contract.listLicences, licences.list),
  query(contract.summariseLicences, (ctx) => summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(contract.getLicence, findDetail),
  command(contract.addLicence, licences.add),
  command(contract.editLicence, licences.edit),
  command(contract.renewLicence, renew),
  command(contract.revokeLicence, revoke),
]

/** Expired first, the longest dead on top; then what ends soonest; long-term ones after that; revoked last. */
function worst() {
  return sql`array_position(${[...contract.licenceStates]}::text[], state) * 100000000::bigint
    + coalesce("daysLeft", 50000000)`
}

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<OutputOf<typeof contract.getLicence>> {
  const found = await licences.get(ctx, { id })
  const { machineId, userId, ...more } = only(await findMore(ctx.db, id))
  const hangs = await hangsOn(ctx.db, sightOf(ctx.actor), { ...found, machineId, userId })
  return { ...found, ...more, terms: await findTerms(ctx.db, id), hangs }
}

/**
 * The term that ends is kept with its scans; the licence goes on under the same id,
 * so what hangs on it need not move.
 */
async function renew(ctx: CommandContext, { id, version, ...next }: InputOf<typeof contract.renewLicence>) {
  const licence = await licences.load(ctx, id)
  const { number, issuedBy, validFrom, validTo, holderKind, kind } = licence
  refuseStale(ctx, { version }, licence, licences.typedOf(licence), next)
  if (licence.revokedAt) refuse('licence.revoked', { number })
  refuseFault({ holderKind, kind, ...next })
  if (!endsLater(next.validTo, validTo)) refuse('licence.notLater', { day: validTo ?? '∞' })
  await sql`insert into licence_term
      (licence_id, number, issued_by, valid_from, valid_to, pictures, replaced_at, replaced_by)
    select id, number, issued_by, valid_from, valid_to, pictures, ${ctx.now()}, ${ctx.actor.userId}
    from licence where id = ${id}`.execute(ctx.tx)
  await refusedBy(
    'licence_number',
    ctx.tx
      .updateTable('licence')
      .set({ ...next, version: version + 1 })
      .where('id', '=', id)
      .execute(),
    () => refusal('licence.numberTaken', { number: next.number }),
  )
  await licences.audit(ctx, licence, { number, issuedBy, validFrom, validTo }, next)
  return { id }
}

async function revoke(ctx: CommandContext, { id, version, reason }: InputOf<typeof contract.revokeLicence>) {
  const licence = await licences.load(ctx, id)
  refuseStale(ctx, { version }, licence, {}, {})
  if (licence.revokedAt) refuse('licence.revoked', { number: licence.number })
  await ctx.tx
    .updateTable('licence')
    .set({ revokedAt: ctx.now(), revokeReason: reason, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await licences.audit(ctx, licence, { state: 'held' }, { state: 'revoked', reason })
  return { id }
}

function refuseFault(licence: Parameters<typeof faultOf>[0]): void {
  const fault = faultOf(licence)
  if (fault) refuse(fault)
}

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
