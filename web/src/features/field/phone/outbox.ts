import { type FieldDay, getFieldDay, MOST_STEPS, sendVisit, type Step } from '@aisle/contract/field/visit'
import { uploadPicture } from '@aisle/contract/system/picture'
import { useSyncExternalStore } from 'react'
import { call } from '../../../live/call'
import { now } from '../../../live/clock'
import { CallFailure, NETWORK } from '../../../live/failure'
import { storedToken } from '../../../live/session'
import { base64Of } from '../../../ui/control/files'
import { batchesOf, type Deed, type KeptStep, unsentOf, type Where } from './phone.rules'
import * as kept from './phone.store'

export type Phone = {
  day: (FieldDay & { readAt: number }) | null
  steps: readonly KeptStep[]
  isSending: boolean
  /** What hinders the sending: no network, no session, or what the server said. */
  trouble: 'offline' | 'signIn' | { message: string } | null
  isRead: boolean
}

let phone: Phone = { day: null, steps: [], isSending: false, trouble: null, isRead: false }
const listeners = new Set<() => void>()
const put = (more: Partial<Phone>) => {
  phone = { ...phone, ...more }
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const usePhone = (): Phone => useSyncExternalStore(subscribe, () => phone)

const RETRY_MS = 30_000

/**
 * Browsers on iPhones send nothing while a page is closed, so the page itself sends: when it starts, is seen again,
 * finds a network, has something new, and every half minute.
 */
export async function startOutbox(): Promise<() => void> {
  await read()
  const wake = () => void flush()
  const seen = () => document.visibilityState === 'visible' && wake()
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', seen)
  const timer = setInterval(wake, RETRY_MS)
  void navigator.storage?.persist?.().catch(() => false)
  wake()
  return () => {
    removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', seen)
    clearInterval(timer)
  }
}

async function read(): Promise<void> {
  const [day, steps] = await Promise.all([kept.readDay(), kept.readSteps()])
  const account = day?.account
  put({ day: day ?? null, steps: steps.filter((step) => step.account === account), isRead: true })
}

/** Kept first; whether it can be sent is another matter. */
export async function note(where: Where, deeds: readonly Deed[]): Promise<void> {
  const { day } = phone
  if (!day) return
  await kept.keepSteps(day.account, where, deeds)
  await read()
  void flush()
}

let running: Promise<void> | null = null

/** Sends what is not sent, then reads the day again. One at a time, and whatever comes meanwhile is sent after it. */
export function flush(): Promise<void> {
  running ??= work().finally(() => {
    running = null
  })
  return running
}

async function work(): Promise<void> {
  if (!storedToken()) return put({ trouble: 'signIn' })
  put({ isSending: true })
  try {
    await refuseOthersPhone()
    let sent: Sent
    do {
      sent = await sendOnce()
      await read()
    } while (sent.isSome)
    await kept.keepDay(await call(getFieldDay, {}, { errors: 'silent' }))
    put({ trouble: sent.trouble })
  } catch (failure) {
    put({ trouble: troubleOf(failure) })
  } finally {
    await read()
    put({ isSending: false })
  }
}

/** Somebody else has signed in on this phone: what the one before left unsent is not sent in another's name. */
async function refuseOthersPhone(): Promise<void> {
  if (unsentOf(phone.steps).length === 0) return
  const { account } = await call(getFieldDay, {}, { errors: 'silent' })
  if (account !== phone.day?.account) throw new CallFailure({ code: 'S9999', message: '', status: 401 })
}

function troubleOf(failure: unknown): Phone['trouble'] {
  if (!(failure instanceof CallFailure)) throw failure
  if (failure.code === NETWORK) return 'offline'
  if (failure.status === 401 || failure.code === 'S9999' || failure.code === 'B1000') return 'signIn'
  return { message: failure.message }
}

type Sent = { isSome: boolean; trouble: Phone['trouble'] }

/** One call a visit. What the server refuses of one visit stays here and keeps no other back. */
async function sendOnce(): Promise<Sent> {
  const sent: Sent = { isSome: false, trouble: null }
  const name = await kept.phoneName()
  for (const batch of batchesOf(phone.steps, MOST_STEPS)) {
    try {
      const answers = await sendBatch(name, batch)
      await kept.keepAnswers(answers)
      sent.isSome ||= answers.some(({ isKept }) => isKept)
    } catch (failure) {
      const trouble = troubleOf(failure)
      if (typeof trouble !== 'object') throw failure
      sent.trouble = trouble
    }
  }
  return sent
}

async function sendBatch(name: string, batch: readonly KeptStep[]) {
  const [first] = batch
  if (!first) return []
  const steps: Step[] = []
  for (const step of batch) steps.push(stepOf(await withPicture(step)))
  const { orderId, machineId } = first
  const sentAt = new Date(now()).toISOString()
  const { answers } = await call(sendVisit, { orderId, machineId, phone: name, sentAt, steps }, { errors: 'silent' })
  return answers
}

const stepOf = ({ id, seq, occurredAt, deed }: KeptStep): Step => ({ ...deed, id, seq, occurredAt }) as Step

async function withPicture(step: KeptStep): Promise<KeptStep> {
  const name = 'picture' in step.deed ? step.deed.picture : null
  if (!name?.startsWith('photo:')) return step
  const photo = await kept.readPhoto(name)
  if (!photo) return step
  const { url } = await call(uploadPicture, { dataBase64: base64Of(await photo.arrayBuffer()) }, { errors: 'silent' })
  return kept.photoUploaded(step, name, url)
}
