import { createHash, randomBytes } from 'node:crypto'
import { customerState, MOST_CUSTOMER_PICTURE_BYTES } from '@aisle/contract/support/customer'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import { inTurn } from '../../../kernel/files/apart'
import { drawAnew } from '../../../kernel/files/drawAnew'
import { only } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { seal } from '../../../kernel/seal'
import { promiseFrom } from '../feedback.store'
import { phoneHashOf, tokenOf } from './code'
import { announceCases, cases, inTurnAt, insertCase, isKnown, lockCases, say } from './customer.store'
import type { Complaint } from './form.rules'
import { judge } from './judge'
import type { Place } from './place.reads'

/** A number that complains more often in a day is not helped by a form. */
const PHONE_A_DAY = 5
const DAY_MS = 24 * 3600_000
const LONGEST_SIDE = 1_600
/** Words of a customer about one case. */
const MOST_WORDS = 20

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Makes a case of what a customer says; the same form sent again is the same case.
 * @param once from the form, so that two who say the same are two @returns the token of the case's address
 * @throws Refusal customer.tooMany, picture.…, file.busy
 */
export async function complain(
  services: Services,
  at: { place: Place; once: string; language: Language },
  said: Complaint,
  picture: Buffer | null,
): Promise<string> {
  const { db, keys, clock } = services
  const { place, language } = at
  const token = tokenOf(keys, JSON.stringify([place.machineId, at.once, said]))
  const tokenHash = hashOf(token)
  if (await isKnown(db, tokenHash)) return token
  const phoneHash = said.phone === '' ? null : phoneHashOf(keys, said.phone)
  const kept = picture && (await keepPicture(services, place.machineId, picture))
  try {
    await db.transaction().execute(async (tx) => {
      await inTurnAt(tx, place.machineId, phoneHash)
      if (await isKnown(tx, tokenHash)) return
      const now = clock.now()
      if (phoneHash && (await countOfPhone(tx, phoneHash, now)) >= PHONE_A_DAY) refuse('customer.tooMany')
      const about = `customerCase:${tokenHash.toString('hex')}`
      const phone = phoneHash && { sealed: seal(keys, about, said.phone), hash: phoneHash, end: said.phone.slice(-4) }
      const dueAt = await promiseFrom(tx, now)
      const { machineId, merchantId } = place
      const made = { ...said, merchantId, machineId, tokenHash, language, phone, picture: kept, dueAt }
      const id = await insertCase(tx, made, now)
      const [held] = await lockCases(tx, sql`c.id = ${id}`)
      if (held) await judge(tx, held, now)
      await announceCases(tx, [merchantId])
    })
  } catch (thrown) {
    if (kept) await services.files.remove('pictures', kept)
    throw thrown
  }
  return token
}

async function countOfPhone(tx: Tx, phoneHash: Buffer, now: Date): Promise<number> {
  const counted = await sql<{ count: number }>`select count(*)::int as count from customer_case
    where phone_hash = ${phoneHash} and created_at > ${new Date(now.getTime() - DAY_MS)}`.execute(tx)
  return only(counted).count
}

/** Under a name by chance, so that it is nobody else's and can be forgotten. Drawn anew: nothing of the file stays. */
async function keepPicture(services: Services, machineId: number, picture: Buffer): Promise<string> {
  // People's turns go by their ids, which are above 0.
  const drawn = await inTurn(-machineId, () => drawAnew(picture, LONGEST_SIDE, MOST_CUSTOMER_PICTURE_BYTES))
  const name = `${randomBytes(32).toString('hex')}.${drawn.kind}`
  await services.files.keep('pictures', name, drawn.bytes)
  return name
}

/** By whoever holds the address: what was over is open again. @throws Refusal customer.tooManyWords */
export async function addWord({ db, clock }: Services, token: string, body: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const now = clock.now()
    const [held] = await lockCases(tx, sql`c.token_hash = ${hashOf(token)}`)
    if (!held) return refuse('request.notFound')
    const counted = await sql<{ count: number; last: string | null }>`select count(*)::int as count,
        (array_agg(body order by id desc))[1] as last
      from customer_word where case_id = ${held.id} and user_id is null`.execute(tx)
    const { count, last } = only(counted)
    // Sent twice, or loaded again.
    if (last === body) return
    if (count >= MOST_WORDS) refuse('customer.tooManyWords')
    await say(tx, held.id, { userId: null, body, at: now })
    const dueAt = await promiseFrom(tx, now)
    if (customerState.can(held.state, 'reopen'))
      await cases.move(tx, held, 'reopen', { dueAt, closedAt: null, openSince: now })
    await announceCases(tx, [held.merchantId])
  })
}
