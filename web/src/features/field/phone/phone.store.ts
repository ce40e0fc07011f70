import type { FieldDay, StepAnswer } from '@aisle/contract/field/visit'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { now } from '../../../live/clock'
import { randomId } from '../../../live/id'
import { type Deed, type KeptStep, nextSeq, type Where } from './phone.rules'

type Schema = DBSchema & {
  day: { key: 'day'; value: FieldDay & { readAt: number } }
  step: { key: string; value: KeptStep }
  photo: { key: string; value: Blob }
  about: { key: 'phone'; value: string }
}

let opened: Promise<IDBPDatabase<Schema>> | undefined
/** A day is one person's: what another left unsent on this phone is theirs, and waits for them. */
const database = () =>
  (opened ??= openDB<Schema>('aisle.field', 1, {
    upgrade: (db) => {
      db.createObjectStore('day')
      db.createObjectStore('step', { keyPath: 'id' })
      db.createObjectStore('photo')
      db.createObjectStore('about')
    },
  }))

export const readDay = async () => (await database()).get('day', 'day')
export const readSteps = async () => (await database()).getAll('step')

const KEPT_MS = 14 * 86_400_000

/** What was answered long ago goes with the days that it was of. */
export async function keepDay(day: FieldDay): Promise<void> {
  const tx = (await database()).transaction(['day', 'step'], 'readwrite')
  await tx.objectStore('day').put({ ...day, readAt: now() }, 'day')
  const orders = new Set(day.orders.map(({ id }) => id))
  for (const step of await tx.objectStore('step').getAll()) {
    const isOld = now() - Date.parse(step.occurredAt) > KEPT_MS
    if (isOld && step.answer !== null && !orders.has(step.orderId)) await tx.objectStore('step').delete(step.id)
  }
  await tx.done
}

/** Numbered where it is kept, so that two pages of one phone never give a number twice. */
export async function keepSteps(account: string, where: Where, deeds: readonly Deed[]): Promise<void> {
  const tx = (await database()).transaction('step', 'readwrite')
  let seq = nextSeq(where, await tx.store.getAll())
  const at = now()
  for (const [place, deed] of deeds.entries()) {
    // What is saved together was done one after the other.
    const occurredAt = new Date(at - deeds.length + 1 + place).toISOString()
    await tx.store.put({ ...where, id: randomId(), account, seq, occurredAt, deed, answer: null })
    seq += 1
  }
  await tx.done
}

export async function keepAnswers(answers: readonly StepAnswer[]): Promise<void> {
  const tx = (await database()).transaction('step', 'readwrite')
  for (const answer of answers) {
    const step = await tx.store.get(answer.id)
    if (step && answer.isKept) await tx.store.put({ ...step, answer })
  }
  await tx.done
}

/** @returns a name under which the step keeps the picture until it is uploaded */
export async function keepPhoto(photo: Blob): Promise<string> {
  const name = `photo:${randomId()}`
  await (await database()).put('photo', photo, name)
  return name
}
export const readPhoto = async (name: string) => (await database()).get('photo', name)

export async function photoUploaded(step: KeptStep, name: string, picture: string): Promise<KeptStep> {
  const tx = (await database()).transaction(['step', 'photo'], 'readwrite')
  const next = { ...step, deed: { ...step.deed, picture } as Deed }
  await tx.objectStore('step').put(next)
  await tx.objectStore('photo').delete(name)
  await tx.done
  return next
}

/** The name of this phone; it goes with what it keeps, so that its numbers begin anew only under a new name. */
export async function phoneName(): Promise<string> {
  const tx = (await database()).transaction('about', 'readwrite')
  const known = await tx.store.get('phone')
  const name = known ?? randomId()
  if (!known) await tx.store.put(name, 'phone')
  await tx.done
  return name
}
