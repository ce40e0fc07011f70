import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getPractice, listMedicineChoices, Warning } from '@aisle/contract/pharmacy/medicine'
import { prescriptionDays } from '@aisle/contract/system/settings'
import { substancesIn, type warnOfPrescription } from '@aisle/contract/pharmacy/write'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, listRows, type Listing } from '../../kernel/list'
import { settingOf } from '../../kernel/settings'
import { dosageFormIn, isOffered } from '../medicine/public'
import { findWarnings, isOfLine, pathOf } from './medicine.store'
import { practiceOf } from './practice.store'

type Choice = OutputOf<typeof listMedicineChoices>['items'][number]

/** What machines bound to the doctor, or of the merchant's line, hold now stands first. */
export function choices(ctx: QueryContext, filter: InputOf<typeof listMedicineChoices>): Listing<Choice> {
  const { merchantId } = ctx.actor
  const rows = sql<Choice>`
    select p.id, p.code, p.name, p.specification, p.manufacturer, p.medicine_class as "medicineClass",
      ${dosageFormIn(ctx.language, sql`m.dosage_form`, pathOf(merchantId))} as "dosageForm",
      coalesce(nullif(m.dose_unit, ''), p.unit) as "doseUnit",
      coalesce(m.units_per_pack, 1) as "unitsPerPack", p.picture, coalesce(held.machines, 0)::int as "machineCount"
    from product p left join medicine m on m.product_id = p.id
    left join lateral (
      select count(distinct s.machine_id) as machines from slot s
      join machine k on k.id = s.machine_id and k.licence_mode = 'hospital'
      join stock_level l on l.place_id = s.place_id and l.product_id = p.id and l.quantity > 0
      where s.product_id = p.id and ${isOfLine(merchantId, sql`k.merchant_id`)}) held on true
    where p.kind = 'medicine' and p.medicine_class is not null and p.state = 'online'
      and ${isOfLine(merchantId, sql`p.merchant_id`)}
      and ${isOffered(pathOf(merchantId), sql`p.id`)}`
  const where = allOf([filter.q && sql`(${holds(sql`name`, filter.q)} or ${holds(sql`code`, filter.q)})`])
  const order = { by: sql`case when "machineCount" > 0 then '0' else '1' end || name`, type: 'text' as const }
  return listRows({ rows, where, order })
}

export async function warnOf(
  ctx: QueryContext,
  input: InputOf<typeof warnOfPrescription>,
): Promise<{ warnings: Warning[] }> {
  const { birthYear, patientFacts: facts, allergies, uses, lines } = input
  const patient = { birthYear, facts, allergies: substancesIn(allergies) }
  return { warnings: await findWarnings(ctx.db, ctx.actor.merchantId, { patient, uses, lines }, ctx.now()) }
}

export async function practice(ctx: QueryContext): Promise<OutputOf<typeof getPractice>> {
  const { userId, merchantId } = ctx.actor
  const own = await practiceOf(ctx.db, userId, businessTime(ctx.now(), PLATFORM_TIME_ZONE).day)
  const hospitals = await sql<{ id: number; name: string }>`
    select h.id, h.name from hospital h join merchant m on m.id = ${merchantId}
    where h.merchant_id = any(m.path) and h.state = 'active' order by h.name limit 500`.execute(ctx.db)
  return {
    profession: own.profession,
    isInForce: own.licenceNumber !== null,
    hospitalId: own.hospitalId,
    hospitalName: hospitals.rows.find(({ id }) => id === own.hospitalId)?.name ?? null,
    department: own.department,
    hospitals: hospitals.rows,
    validDays: await settingOf(ctx.db, prescriptionDays, merchantId),
  }
}
