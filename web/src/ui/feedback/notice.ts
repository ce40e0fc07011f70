import type { ComponentType } from 'react'

/**
 * Toasts and questions, without the UI kit, so that the login page, the wallboard and the app show the same ones.
 * `Notices` draws them; entry mounts it once.
 */
export type Tone = 'good' | 'bad' | 'info'
/** `Body` in place of a text is what goes on: it stays until it is closed, by a person or by itself. */
export type Toast = { id: number; tone: Tone } & (
  | { text: string; detail?: string }
  | { Body: ComponentType<{ close: () => void }> }
)
export type Question = { key: string; title: string; body: string; yes: string; no: string; tone?: 'danger' }
type Asked = Question & { answer: (yes: boolean) => void; promise: Promise<boolean> }
type Notices = { toasts: readonly Toast[]; question: Asked | null }

/** Specification §9. */
const TOAST_MS = 5_000

let notices: Notices = { toasts: [], question: null }
let lastId = 0
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const currentNotices = (): Notices => notices

/** The same words are not stacked: a toast that is still up is renewed. */
export function toast(tone: Tone, text: string, detail?: string): void {
  const same = notices.toasts.find((each) => each.tone === tone && 'text' in each && each.text === text)
  if (same) dismiss(same.id)
  lastId += 1
  const id = lastId
  change({ toasts: [...notices.toasts, { id, tone, text, ...(detail ? { detail } : {}) }] })
  resume(id)
}

/** Of what takes its time: how far it is, and what may be done with it then. */
export function toastBody(tone: Tone, Body: ComponentType<{ close: () => void }>): void {
  lastId += 1
  change({ toasts: [...notices.toasts, { id: lastId, tone, Body }] })
}

export function dismiss(id: number): void {
  hold(id)
  change({ toasts: notices.toasts.filter((each) => each.id !== id) })
}

/** When what they complained about has been put right. */
export function dismissFailures(): void {
  for (const each of notices.toasts) if (each.tone === 'bad') dismiss(each.id)
}

/** While the pointer or the focus is on it, a toast stays. */
export function hold(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

export function resume(id: number): void {
  hold(id)
  timers.set(
    id,
    setTimeout(() => dismiss(id), TOAST_MS),
  )
}

/** Asks once: while a question of the same key is open, every asker gets its answer. Another key replaces it (no). */
export function ask(question: Question): Promise<boolean> {
  const open = notices.question
  if (open?.key === question.key) return open.promise
  open?.answer(false)
  const { promise, resolve } = withResolvers()
  const answer = (yes: boolean) => {
    if (notices.question?.promise === promise) change({ question: null })
    resolve(yes)
  }
  change({ question: { ...question, promise, answer } })
  return promise
}

function withResolvers(): { promise: Promise<boolean>; resolve: (yes: boolean) => void } {
  let resolve: (yes: boolean) => void = () => {}
  const promise = new Promise<boolean>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function change(part: Partial<Notices>): void {
  notices = { ...notices, ...part }
  for (const listener of listeners) listener()
}
