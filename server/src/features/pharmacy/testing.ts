import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { getPrescription } from '@aisle/contract/pharmacy/prescription'
import { approvePrescription } from '@aisle/contract/pharmacy/review'
import { writePrescription } from '@aisle/contract/pharmacy/write'
import { sql } from 'kysely'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type Answer, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld } from '../../testing/world'
import { routes } from './pharmacy.routes'

export const NOON = new Date('2026-11-20T04:00:00Z')
export const DAY_MS = 86_400_000
/** Of nobody: its digits end in the check that GB 11643 asks for. */
export const ID_NUMBER = '330106198003076577'

type Line = { productId: number; quantity?: number; dose?: number; timesADay?: number; days?: number }
type Profession = 'doctor' | 'pharmacist'

/** A merchant with a hospital machine of two prescription medicines. */
async function openGround() {
  const world = await openWorld(NOON)
  const http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: platformId })
  const strangerId = await addMerchant(db, { parentId: platformId })
  const products = [
    await addProduct(db, { merchantId, medicineClass: 'rx' }),
    await addProduct(db, { merchantId, medicineClass: 'rx' }),
    await addProduct(db, { merchantId, medicineClass: 'otc_b' }),
  ]
  const hospital = (stock = 10): Promise<BuiltMachine> =>
    addMachine(db, { merchantId, products, licenceMode: 'hospital', stock })
  const machine = await hospital()

  const as = async (profession: Profession | null, grants: readonly string[], owner = merchantId) => {
    const kind = profession === 'doctor' ? 'doctor' : 'ordinary'
    const made = await addUser(db, { merchantId: owner, kind, grants })
    if (profession) {
      await sql`insert into doctor (user_id, profession) values (${made.id}, ${profession})`.execute(db)
      await sql`insert into licence (merchant_id, holder_kind, kind, number, holder, user_id, issued_by, valid_from,
          valid_to, created_at)
        values (${owner}, 'doctor', ${`${profession}_practice`}, ${`L${made.id}`}, ${made.account}, ${made.id},
          'Office', '2024-01-01', '2027-12-31', ${NOON})`.execute(db)
    }
    // Signed in anew each time: tests move the clock by days.
    const call = async (endpoint: Endpoint, input?: Record<string, unknown>): Promise<Answer> =>
      http.call(endpoint, input, { token: await addSession(db, made.id, world.services.clock.now()) })
    return { ...made, call }
  }
  return { world, db, http, platformId, merchantId, strangerId, products, machine, hospital, as }
}

/** The same with people who write and sign. */
export async function openPharmacy() {
  const ground = await openGround()
  const { as, products, http, world } = ground
  const doctor = await as('doctor', ['prescription.read', 'prescription.write', 'prescription.cancel'])
  const pharmacist = await as('pharmacist', ['prescription.*'])

  const [first] = products
  const write = (lines: readonly Line[] = [{ productId: first?.id ?? 0 }], more: Record<string, unknown> = {}) =>
    doctor.call(writePrescription, {
      patientName: '张小明',
      sex: 'male',
      birthYear: 1980,
      condition: '咳嗽',
      isSubmitted: true,
      ...more,
      lines: lines.map((line) => ({ quantity: 1, dose: 1, timesADay: 3, days: 3, ...line })),
    })
  const hashOf = async (id: number) =>
    data<{ contentHash: string }>(await pharmacist.call(getPrescription, { id })).contentHash
  const approve = async (id: number, by = pharmacist) =>
    by.call(approvePrescription, { id, contentHash: await hashOf(id), reason: 'looked at' })
  /** Written, submitted and approved. */
  const approved = async (lines?: readonly Line[], more?: Record<string, unknown>) => {
    const answer = await write(lines, more)
    if (answer.status !== 200) throw new Error(`not written: ${answer.text}`)
    const written = data<{ id: number; code: string }>(answer)
    const said = await approve(written.id)
    if (said.status !== 200) throw new Error(`not approved: ${JSON.stringify(said.body)}`)
    return written
  }
  const close = async () => {
    await http.close()
    await world.close()
  }
  return { ...ground, doctor, pharmacist, write, approve, approved, hashOf, close }
}
export type Pharmacy = Awaited<ReturnType<typeof openPharmacy>>

export const data = <T>({ body }: Answer): T => body.data as T

export async function addBatch(
  { db }: Pharmacy,
  batch: { productId: number; number: string; expiresOn: string; state?: string },
): Promise<void> {
  await sql`insert into medicine_batch (product_id, number, expires_on, state, changed_at)
    values (${batch.productId}, ${batch.number}, ${batch.expiresOn}, ${batch.state ?? 'available'}, ${NOON})`.execute(
    db,
  )
}
