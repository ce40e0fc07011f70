/** `now`: what a field holds that somebody else changed meanwhile. */
export type FieldFault = { path: string; reason: string; msg: string; now?: unknown }

/** No answer came: no network, a proxy's error page, or 15 seconds of silence. */
export const NETWORK = 'network'

/** A call that was refused or that failed; the words are in the language of the person. */
export class CallFailure extends Error {
  readonly code: string
  readonly fields: readonly FieldFault[]
  readonly traceId: string
  /** 0 where no answer came. */
  readonly status: number
  /** All that was answered; a sign-in that is not done yet carries what its next step takes. */
  readonly answer: Readonly<Record<string, unknown>>
  /** Whether a toast or a dialog has already told the person: an error appears once. */
  isShown = false

  constructor(facts: {
    code: string
    message: string
    status: number
    fields?: FieldFault[]
    traceId?: string
    answer?: Record<string, unknown>
  }) {
    super(facts.message)
    this.name = 'CallFailure'
    this.code = facts.code
    this.status = facts.status
    this.fields = facts.fields ?? []
    this.traceId = facts.traceId ?? ''
    this.answer = facts.answer ?? {}
  }
}

let last = ''
export const noteFailure = ({ code, traceId }: CallFailure): void => {
  last = [code, traceId && `#${traceId}`].filter(Boolean).join(' ')
}
/** Of the last call that failed on this page, for support: its code, and its number in the log. */
export const lastFailure = (): string => last
