import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { maskedNumber } from '@aisle/contract/merchant/bankAccount'
import * as contract from '@aisle/contract/purchase/supplier'
import { licenceWarningDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { must } from '../../kernel/must'
import { dayAt } from '../../kernel/platformDays'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { seal } from '../../kernel/seal'
import { settingOf } from '../../kernel/settings'
import { paperStateOf } from './supplier.rules'
import { findPapers, followPapers, missingOf, standingOf, supplierMoves } from './supplier.store'

const account = sql<string>`case when supplier.account_tail = '' then '' else ${maskedNumber('')}::text
  || supplier.account_tail end`

const suppliers = kept(contract.supplier, {
  table: 'supplier',
  facts: (_, now) => ({
    nextEnd: sql`(select to_char(min(p.valid_to), 'YYYY-MM-DD') from supplier_paper p
      where p.supplier_id = supplier.id and p.revoked_at is null
        and p.valid_to >= ${dayAt(now, sql`owner.time_zone`)})`,
    missing: missingOf('supplier', dayAt(now, sql`owner.time_zone`)),
    productCount: sql`(select count(*)::int from supplier_product p where p.supplier_id = supplier.id)`,
    bank: sql`supplier.bank`,
    accountHolder: sql`supplier.account_holder`,
    account,
  }),
  search: ['name', 'contact', 'creditCode'],
  where: { deliversMedicine: (is) => sql`"deliversMedicine" = ${is === 'true'}` },
  uses: (id) => sql`select p.name from supplier_product s join product p on p.id = s.product_id
    where s.supplier_id = ${id}
    union select o.no from purchase_order o where o.supplier_id = ${id}
    union select r.no from goods_receipt r where r.supplier_id = ${id} order by 1`,
})

export const routes: Route[] = [
  ...listOf(contract.listSuppliers, suppliers.list),
  query(contract.getSupplier, getSupplier),
  command(contract.addSupplier, suppliers.add),
  command(contract.editSupplier, async (ctx, input) => {
    const changed = await suppliers.edit(ctx, input)
    await follow(ctx, input.id)
    return changed
  }),
  command(contract.submitSupplier, submit),
  command(contract.approveSupplier, approve),
  command(contract.rejectSupplier, reject),
  command(contract.stopSupplier, suppliers.move('stop')),
  command(contract.resumeSupplier, suppliers.move('resume')),
  command(contract.removeSupplier, suppliers.remove),
  command(contract.addPaper, addPaper),
  command(contract.revokePaper, revokePaper),
  command(contract.putSupplierAccount, putAccount),
]

async function getSupplier(ctx: QueryContext, { id }: { id: number }): Promise<OutputOf<typeof contract.getSupplier>> {
  const found = await suppliers.get(ctx, { id })
  const warningDays = await settingOf(ctx.db, licenceWarningDays, found.merchantId)
  const papers = await findPapers(ctx.db, id, ctx.now())
  const asked = await sql<{ by: number | null }>`select submitted_by as by from supplier where id = ${id}`.execute(
    ctx.db,
  )
  return {
    ...found,
    papers: papers.map(({ day, isRevoked, ...paper }) => ({
      ...paper,
      state: paperStateOf({ ...paper, isRevoked }, day, warningDays),
    })),
    mayApprove: asked.rows[0]?.by !== ctx.actor.userId,
  }
}

async function submit(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  const row = await suppliers.load(ctx, id)
  supplierMoves.must(row, 'submit')
  await refuseMissing(ctx, id)
  const state = await supplierMoves.move(ctx.tx, row, 'submit', { submittedBy: ctx.actor.userId })
  await suppliers.audit(ctx, row, { state: row.state }, { state })
  return { id }
}

/** Another person than who submitted it has looked at the papers, which are still whole. */
async function approve(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  const row = await suppliers.load(ctx, id)
  supplierMoves.must(row, 'approve')
  if (row.submittedBy === ctx.actor.userId) refuse('supplier.ownRequest')
  await refuseMissing(ctx, id)
  const state = await supplierMoves.move(ctx.tx, row, 'approve')
  await suppliers.audit(ctx, row, { state: row.state }, { state })
  return { id }
}

async function reject(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof contract.rejectSupplier>,
): Promise<{ id: number }> {
  const row = await suppliers.load(ctx, id)
  const state = await supplierMoves.move(ctx.tx, row, 'reject')
  await suppliers.audit(ctx, row, { state: row.state }, { state, reason })
  return { id }
}

async function refuseMissing(ctx: CommandContext, id: number): Promise<void> {
  const [standing] = await standingOf(ctx.tx, ctx.now(), sql`s.id = ${id}`)
  const { name, missing } = must(standing, 'a supplier')
  if (missing.length > 0) refuse('supplier.papers', { name, count: missing.length })
}

async function addPaper(
  ctx: CommandContext,
  { id, ...paper }: InputOf<typeof contract.addPaper>,
): Promise<{ id: number }> {
  const row = await suppliers.load(ctx, id)
  const { kind, number, validFrom, validTo, scope, pictures } = paper
  if (validTo !== null && validTo < validFrom) refuse('paper.period')
  await refusedBy(
    'supplier_paper_number',
    sql`insert into supplier_paper
        (supplier_id, kind, number, valid_from, valid_to, scope, pictures, added_at, added_by)
      values (${id}, ${kind}, ${number}, ${validFrom}::date, ${validTo}::date, ${scope}::text[], ${pictures}::text[],
        ${ctx.now()}, ${ctx.actor.userId})`.execute(ctx.tx),
    () => refusal('paper.taken', { number }),
  )
  await suppliers.audit(ctx, row, null, { paper })
  await follow(ctx, id)
  return { id }
}

async function revokePaper(
  ctx: CommandContext,
  { id, paperId, reason }: InputOf<typeof contract.revokePaper>,
): Promise<{ id: number }> {
  const row = await suppliers.load(ctx, id)
  const found = await sql<{ kind: string; number: string; isRevoked: boolean }>`
    select kind, number, revoked_at is not null as "isRevoked" from supplier_paper
    where id = ${paperId} and supplier_id = ${id} for update`.execute(ctx.tx)
  const { kind, number, isRevoked } = existing(found.rows[0])
  if (isRevoked) refuse('paper.revoked', { number })
  await sql`update supplier_paper set revoked_at = ${ctx.now()}, revoke_reason = ${reason}
    where id = ${paperId}`.execute(ctx.tx)
  await suppliers.audit(ctx, row, { paper: { kind, number } }, { revoked: number, reason })
  await follow(ctx, id)
  return { id }
}

/** Its state follows its papers at once, and not only when the job comes by. */
async function follow(ctx: CommandContext, id: number): Promise<void> {
  for (const { merchantId, state, now } of await followPapers(ctx.tx, ctx.now(), sql`s.id = ${id}`)) {
    await suppliers.audit(ctx, { id, merchantId }, { state }, { state: now })
  }
}

async function putAccount(
  ctx: CommandContext,
  { id, bank, accountHolder, accountNumber }: InputOf<typeof contract.putSupplierAccount>,
): Promise<{ id: number }> {
  const row = await suppliers.load(ctx, id)
  const accountTail = accountNumber.slice(-4)
  const sealed = seal(ctx.services.keys, `supplier:${id}`, accountNumber)
  await sql`update supplier set bank = ${bank}, account_holder = ${accountHolder}, account_tail = ${accountTail},
    account_sealed = ${sealed}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  const shown = (at: { bank: string; accountHolder: string; accountTail: string }) => ({
    bank: at.bank,
    accountHolder: at.accountHolder,
    account: maskedNumber(at.accountTail),
  })
  await suppliers.audit(ctx, row, shown(row), shown({ bank, accountHolder, accountTail }))
  return { id }
}
